/** The start of month `n` of an anchor: same day and time in UTC, the last day where the month is too short. */
export function freeMonthStart(anchor: Date, n: number): Date {
  const start = new Date(anchor);
  start.setUTCDate(1);
  start.setUTCMonth(anchor.getUTCMonth() + n);
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate();
  start.setUTCDate(Math.min(anchor.getUTCDate(), lastDay));
  return start;
}

interface ModelBucket {
  source: string;
  payment: string | null;
  kind: string;
  amount: number;
  expiresAt: number;
  target: number;
  /** Its expiry was booked, which a clock set back does not undo. */
  ended: boolean;
  /** available, held, spent, expired, revoked */
  counters: [number, number, number, number, number];
}

interface ModelHold {
  cost: number;
  state: 'held' | 'settled' | 'released';
  parts: { bucket: ModelBucket; amount: number }[];
}

/** What the ledger of one user should do, said as plainly as memory without concurrency allows. */
export class LedgerModel {
  readonly anchor: Date;
  now: number;
  /** No free month begins before. */
  pausedUntil = 0;
  readonly buckets: ModelBucket[] = [];
  readonly holds = new Map<string, ModelHold>();
  /** kind, amount, balance after: oldest first. */
  readonly lines: [string, number, number][] = [];

  constructor(anchor: Date) {
    this.anchor = anchor;
    this.now = anchor.getTime();
    this.read();
  }

  balance(): number {
    return this.buckets.reduce((sum, bucket) => sum + bucket.counters[0], 0);
  }

  read(): number {
    this.expire();
    const live = this.buckets.filter((bucket) => !bucket.ended && bucket.expiresAt > this.now);
    const covered = live.some(
      ({ kind, target, amount }) => kind === 'free' || (kind === 'subscription' && target < amount),
    );
    if (!covered && this.pausedUntil <= this.now) this.addFreeMonth();
    return this.balance();
  }

  take(id: string, cost: number) {
    this.read();
    if (this.holds.has(id)) return { result: 'duplicate', balance: this.balance() };
    if (this.balance() < cost) return { result: 'insufficient', balance: this.balance() };
    const hold: ModelHold = { cost, state: 'held', parts: [] };
    let left = cost;
    for (const bucket of this.inOrder().filter(({ counters }) => counters[0] > 0)) {
      const amount = Math.min(left, bucket.counters[0]);
      if (amount === 0) break;
      this.move(bucket, 0, 1, amount);
      hold.parts.push({ bucket, amount });
      left -= amount;
    }
    this.holds.set(id, hold);
    this.tell('charge', -cost);
    return { result: 'held', balance: this.balance() };
  }

  close(id: string, outcome: 'settled' | 'released') {
    this.read();
    const hold = this.holds.get(id);
    if (hold?.state !== 'held') return { closed: false, balance: this.balance() };
    hold.state = outcome;
    for (const { bucket, amount } of hold.parts) this.move(bucket, 1, outcome === 'settled' ? 2 : 0, amount);
    if (outcome === 'released') {
      this.tell('release', hold.cost);
      for (const { bucket } of hold.parts) {
        this.takeBack(bucket);
        this.lapse(bucket);
      }
    }
    return { closed: true, balance: this.balance() };
  }

  /** Settles a hold of which only `charge` was used: the rest comes back, to what was taken last first. */
  charge(id: string, charge: number) {
    const closed = this.close(id, 'settled');
    const hold = this.holds.get(id);
    if (!closed.closed || !hold) return closed;
    let left = hold.cost - charge;
    if (left > 0) this.tell('release', left);
    const returned = hold.parts.toReversed().flatMap((part) => {
      const amount = Math.min(left, part.amount);
      left -= amount;
      this.move(part.bucket, 2, 0, amount);
      return amount > 0 ? [part.bucket] : [];
    });
    for (const bucket of returned.toReversed()) {
      this.takeBack(bucket);
      this.lapse(bucket);
    }
    return { closed: true, balance: this.balance() };
  }

  /** Gives back all that is held, in the order of the ids. */
  reap(ids: readonly string[]) {
    return ids.map((id) => this.close(id, 'released'));
  }

  grant(kind: string, source: string, payment: string | null, amount: number, expiresAt: number) {
    this.expire();
    const known = this.buckets.some(
      (bucket) => bucket.source === source || (payment !== null && bucket.payment === payment),
    );
    if (!known) this.add(kind, source, payment, amount, expiresAt);
    this.expire();
    return { granted: !known, balance: this.balance() };
  }

  revoke(key: string, total: number) {
    this.expire();
    const bucket = this.buckets.find(({ source, payment }) => source === key || payment === key);
    if (!bucket) return { known: false, taken: 0, balance: this.balance() };
    bucket.target = Math.max(bucket.target, Math.min(bucket.amount, total));
    this.takeBack(bucket);
    return { known: true, taken: bucket.counters[4], balance: this.balance() };
  }

  restore(payment: string, total: number) {
    this.expire();
    const bucket = this.buckets.find((each) => each.payment === payment);
    if (!bucket || total >= bucket.target) return { given: 0, balance: this.balance() };
    const given = Math.max(0, bucket.counters[4] - total);
    bucket.target = total;
    this.move(bucket, 4, 0, given);
    if (given > 0) this.tell('grant', given);
    this.lapse(bucket);
    return { given, balance: this.balance() };
  }

  expire(): void {
    for (const bucket of this.inOrder()) {
      bucket.ended ||= bucket.expiresAt <= this.now;
      this.lapse(bucket);
    }
  }

  private lapse(bucket: ModelBucket): void {
    const [available] = bucket.counters;
    if (!bucket.ended || available === 0) return;
    this.move(bucket, 0, 3, available);
    this.tell('expire', -available);
  }

  private takeBack(bucket: ModelBucket): void {
    const amount = Math.min(bucket.counters[0], bucket.target - bucket.counters[4]);
    if (amount <= 0) return;
    this.move(bucket, 0, 4, amount);
    this.tell('revoke', -amount);
  }

  private addFreeMonth(): void {
    let n = 0;
    while (freeMonthStart(this.anchor, n + 1).getTime() <= this.now) n += 1;
    if (this.buckets.some(({ source }) => source === `free:${n}`)) return;
    this.add('free', `free:${n}`, null, 40, freeMonthStart(this.anchor, n + 1).getTime());
  }

  private add(kind: string, source: string, payment: string | null, amount: number, expiresAt: number): void {
    this.buckets.push({
      source,
      payment,
      kind,
      amount,
      expiresAt,
      target: 0,
      ended: false,
      counters: [amount, 0, 0, 0, 0],
    });
    this.tell(kind === 'adjustment' ? 'adjust' : 'grant', amount);
  }

  private inOrder(): ModelBucket[] {
    return this.buckets.toSorted((a, b) => a.expiresAt - b.expiresAt);
  }

  private move(bucket: ModelBucket, from: number, to: number, amount: number): void {
    bucket.counters[from] = (bucket.counters[from] ?? 0) - amount;
    bucket.counters[to] = (bucket.counters[to] ?? 0) + amount;
  }

  private tell(kind: string, amount: number): void {
    const before = this.lines.at(-1)?.[2] ?? 0;
    this.lines.push([kind, amount, before + amount]);
  }
}
