/** Limits of one call, in milliseconds. */
export interface UpstreamTimeouts {
  connectMs: number;
  /** From the call to the first token, retries and further routes of the chain included. */
  firstTokenMs: number;
  idleMs: number;
  totalMs: number;
}
