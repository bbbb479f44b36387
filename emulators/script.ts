/** Why an answer is over, in no provider's words. `continued`: a cap of one request was hit, `token` fetches the rest. */
export type Finish =
  | { reason: 'stop' | 'length' | 'blocked' | 'malformed' }
  | { reason: 'continued'; token: string };

/** One thing a model provider does while it answers. */
export type Step =
  | { kind: 'text'; text: string; tokens: number }
  | { kind: 'reasoning'; text: string; tokens: number }
  | { kind: 'refusal'; text: string; tokens: number }
  /** A function is called; `args` is JSON text. */
  | { kind: 'call'; id: string; name: string; args: string; tokens: number }
  /** A part of another kind, as Gemini writes it. */
  | { kind: 'part'; part: object }
  /** `metadata`: further fields of Gemini's last candidate; `toolTokens`: what its tools read. */
  | { kind: 'finish'; finish: Finish; metadata?: object; toolTokens?: number }
  | { kind: 'prompt-blocked' }
  | { kind: 'error'; status: number }
  | { kind: 'usage'; outputTokens: number; inputTokens: number }
  /** Bytes as they are, in no frame. */
  | { kind: 'raw'; bytes: string }
  /** The socket is destroyed. */
  | { kind: 'destroy' }
  /** The body ends here, without what this format ends an answer with. */
  | { kind: 'end' }
  /** Nothing more comes, and the connection stays open. */
  | { kind: 'silence' };

/** A step and when it is due, in milliseconds after the request came. */
export interface Beat {
  at: number;
  step: Step;
  /** `character`: cut this step's bytes inside a character, as two packets. `bytes`: one packet for each byte. */
  cut?: 'character' | 'bytes';
}

/** A whole answer, produced as it is sent, so that one without an end costs nothing. */
export type Script = Iterator<Beat, void>;
