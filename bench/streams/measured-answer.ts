/** What the client saw of one answer. Times are milliseconds since the request was sent. */
export interface MeasuredAnswer {
  /** When each content delta arrived; deltas of one chunk have the same time. */
  deltas: Float64Array;
  /** When each `TOKEN` arrived, where the work consists of them. */
  tokens: Float64Array;
  end: number;
  /** The stream said that it was complete. */
  complete: boolean;
  fault: string | null;
}

/** One order to the client process. */
export interface Load {
  target: 'emulator' | 'parley' | 'api';
  url: string;
  /** Several servers, asked in turn; else `url` alone. */
  urls?: string[];
  /** One for each answer: a cookie, or an API key for target `api`; '' for the emulator, which needs none. */
  credentials: string[];
  /** Starts are spread evenly over this; null: one after another on one connection. */
  spreadMs: number | null;
  /** So many at once, each of which begins the next as soon as one has ended; `spreadMs` does not count then. */
  lanes?: number;
}

export interface LoadResult {
  answers: MeasuredAnswer[];
  /** All bytes that came over the wire, headers included. */
  wireBytes: number;
}
