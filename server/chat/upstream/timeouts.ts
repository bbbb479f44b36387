/** Limits of one call, in milliseconds. */
export interface UpstreamTimeouts {
  connectMs: number;
  /** From the call to the first token, retries and further routes of the chain included. */
  firstTokenMs: number;
  idleMs: number;
  totalMs: number;
}

export const DEFAULT_TIMEOUTS: UpstreamTimeouts = {
  connectMs: 10_000,
  firstTokenMs: 30_000,
  idleMs: 30_000,
  totalMs: 300_000,
};
