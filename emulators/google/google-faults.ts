import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What goes wrong with a sign-in: the answer is an error; the ID token has another nonce; its signature is broken; the token
 * endpoint is slow (`ms`), or answers 500.
 */
const KINDS = ['error', 'wrong-nonce', 'bad-signature', 'slow', 'http-500'] as const;
export type GoogleFault = (typeof KINDS)[number];

/** Faults that were asked for and have not happened yet. */
export class GoogleFaults {
  private waiting: { kind: GoogleFault; ms: number }[] = [];

  /** Has `kind` happen the next `times` times. Throws for a kind that does not exist. */
  add({ kind, times, ms }: Record<string, unknown>) {
    const known = KINDS.find((one) => one === kind);
    if (!known) throw new Error(`unknown fault ${String(kind)}; there are ${KINDS.join(', ')}`);
    const fault = { kind: known, ms: Number(ms ?? 8_000) };
    this.waiting.push(...Array<typeof fault>(Number(times ?? 1)).fill(fault));
    return { waiting: this.waiting.length };
  }

  clear() {
    this.waiting = [];
    return {};
  }

  /** Whether `kind` is to happen now; then it is over. */
  take(kind: GoogleFault): boolean {
    return this.find(kind) !== undefined;
  }

  /** Waits where the next answer is to be slow. */
  async delay(): Promise<void> {
    const fault = this.find('slow');
    if (fault) await sleep(fault.ms);
  }

  private find(kind: GoogleFault) {
    const at = this.waiting.findIndex((fault) => fault.kind === kind);
    return at < 0 ? undefined : this.waiting.splice(at, 1)[0];
  }
}
