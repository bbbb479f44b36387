import type { UpstreamTimeouts } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';

/** `closing`: the answer is complete, only the end of the body is missing. */
export type Phase = 'connect' | 'first_token' | 'idle' | 'closing';

/** Ends the work under way; null: the answer is complete as it is. */
export type Stop = (error: UpstreamError | null) => void;

const CLOSING_MS = 2_000;

/**
 * Watches one call, with all its attempts, for its time-outs and for the caller's wish to stop. The limits count from its making.
 * One timer serves all of them; it is not moved by `touch`, which runs for every event.
 */
export class CallDeadline {
  private readonly limits: UpstreamTimeouts;
  private readonly signal: AbortSignal;
  private readonly firstTokenAt: number;
  private readonly totalAt: number;
  private phase: Phase = 'connect';
  private begun = false;
  private enteredAt: number;
  private touchedAt: number;
  /** Until when the present route may be silent. */
  private routeEndsAt = Number.POSITIVE_INFINITY;
  private stop: Stop | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(limits: UpstreamTimeouts, signal: AbortSignal) {
    const now = performance.now();
    this.limits = limits;
    this.signal = signal;
    this.firstTokenAt = now + limits.firstTokenMs;
    this.totalAt = now + limits.totalMs;
    this.enteredAt = now;
    this.touchedAt = now;
    signal.addEventListener('abort', this.onAbort, { once: true });
  }

  /** Begins a phase. Once an answer has begun, waiting for a first token is waiting for the next one. */
  enter(phase: Phase) {
    if (phase === 'idle') this.begun = true;
    this.phase = this.begun && phase === 'first_token' ? 'idle' : phase;
    this.enteredAt = performance.now();
    this.touchedAt = this.enteredAt;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.check, Math.max(0, Math.ceil(this.due() - this.enteredAt)));
  }

  /** Records that a piece of the answer arrived. */
  touch() {
    this.touchedAt = performance.now();
  }

  /** Starts the time of a route, which gets a `share` (0 to 1) of the time that is left for the first token. */
  startRoute(share: number) {
    this.routeEndsAt = Number.POSITIVE_INFINITY;
    this.routeEndsAt = performance.now() + this.leftForFirstToken() * share;
  }

  /** Milliseconds that are left for the first token of this route. */
  leftForFirstToken(): number {
    return Math.min(this.firstTokenAt, this.totalAt, this.routeEndsAt) - performance.now();
  }

  /** Sets the function that a time-out or an abort calls. Throws `aborted` when the caller has stopped already. */
  attach(stop: Stop) {
    if (this.signal.aborted) throw new UpstreamError('aborted', 'stopped by the caller');
    this.stop = stop;
  }

  detach() {
    this.stop = null;
  }

  /** Ends the watch. */
  release() {
    clearTimeout(this.timer);
    this.stop = null;
    this.signal.removeEventListener('abort', this.onAbort);
  }

  private due(): number {
    const { limits, enteredAt, totalAt } = this;
    const firstTokenAt = this.begun ? totalAt : Math.min(this.firstTokenAt, this.routeEndsAt);
    if (this.phase === 'connect') return Math.min(enteredAt + limits.connectMs, firstTokenAt, totalAt);
    if (this.phase === 'first_token') return Math.min(firstTokenAt, totalAt);
    if (this.phase === 'closing') return enteredAt + CLOSING_MS;
    return Math.min(this.touchedAt + limits.idleMs, totalAt);
  }

  private expired(now: number): UpstreamError | null {
    if (this.phase === 'closing') return null;
    const noFirst = !this.begun && now >= Math.min(this.firstTokenAt, this.routeEndsAt);
    const phase = now >= this.totalAt ? 'total' : noFirst ? 'first_token' : this.phase;
    return new UpstreamError('timeout', `no answer in time (${phase})`, { phase });
  }

  private end(error: UpstreamError | null) {
    const { stop } = this;
    this.stop = null;
    stop?.(error);
  }

  private readonly check = () => {
    const now = performance.now();
    const due = this.due();
    if (now < due) this.timer = setTimeout(this.check, Math.ceil(due - now));
    else this.end(this.expired(now));
  };

  private readonly onAbort = () => {
    this.end(new UpstreamError('aborted', 'stopped by the caller'));
  };
}
