import type { FinishReason, NoticeCode, TokenUsage } from '#contract/chat.ts';

export interface Turn {
  role: 'user' | 'model';
  text: string;
}

/** One question to a model: the conversation so far, ending with the user's turn. */
export interface GenerateRequest {
  system: string | null;
  turns: Turn[];
  maxOutputTokens?: number | undefined;
  /** Sampling is sent only to models whose route says that they take it. */
  temperature?: number | undefined;
  topP?: number | undefined;
  stop?: string[] | undefined;
  seed?: number | undefined;
  /** Gemini's `cachedContents/…`, made for the upstream model named here. */
  cachedContent?: { name: string; model: string } | undefined;
}

/** What is known of an answer besides its text. */
export interface AnswerFacts {
  /** The model the provider says answered; null when it did not say. */
  modelVersion: string | null;
  /** The model we asked for. */
  upstreamModel: string;
  /** Null when the provider sent none, or sent nonsense. */
  usage: TokenUsage | null;
  /** Null when the provider has not said why the answer ended. */
  finishReason: FinishReason | null;
}

export interface GenerateResult extends AnswerFacts {
  finishReason: 'stop' | 'length';
}

/** Called synchronously while the answer arrives, at most once each for one network packet; must not throw. */
export interface StreamHandlers {
  onText(text: string): void;
  onReasoning(text: string): void;
  onNotice(code: NoticeCode): void;
}

/**
 * The models behind the catalogue. Every call walks the chain of the catalogue model, retries what may be retried, keeps
 * the time-outs, and rejects with `UpstreamError` only: `aborted` when `signal` was aborted.
 */
export interface Upstream {
  /** Streams an answer; resolves when it is complete and has text, rejects otherwise. */
  stream(
    modelId: string,
    request: GenerateRequest,
    handlers: StreamHandlers,
    signal: AbortSignal,
  ): Promise<GenerateResult>;
  /** Input tokens of a request, as the provider counts them; a local estimate where it has no such call. */
  countTokens(modelId: string, request: GenerateRequest, signal: AbortSignal): Promise<number>;
  /** One vector per text, in order. */
  embed(modelId: string, texts: string[], signal: AbortSignal): Promise<number[][]>;
  /** Closes idle connections; running calls are not waited for. */
  close(): void;
}

/** Limits of one call, in milliseconds. */
export interface UpstreamTimeouts {
  connectMs: number;
  /** From the call to the first token, retries and further routes of the chain included. */
  firstTokenMs: number;
  idleMs: number;
  totalMs: number;
}
