import { MINUTE_MS } from '#contract/time.ts';

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Counts in this process alone, without a word to the database: each key may be taken so often at once, and as often again evenly over
 * every minute. A key that was not taken for a minute may be taken as often as a new one, and is not kept; of more keys than `most`,
 * those not taken for longest are not either.
 */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();
  private readonly now: () => number;
  private readonly most: number;

  /** `now` in milliseconds, never backwards. */
  constructor(now: () => number = () => performance.now(), most = 20_000) {
    this.now = now;
    this.most = most;
  }

  /** Seconds to wait until `key` may be taken again; 0: it was taken now. */
  take(key: string, perMinute: number): number {
    const now = this.now();
    const { tokens, at } = this.buckets.get(key) ?? { tokens: perMinute, at: now };
    const filled = Math.min(perMinute, tokens + ((now - at) * perMinute) / MINUTE_MS);
    const isFree = filled >= 1;
    this.buckets.delete(key);
    this.buckets.set(key, { tokens: isFree ? filled - 1 : filled, at: now });
    for (const [oldest, bucket] of this.buckets) {
      if (this.buckets.size <= this.most && bucket.at > now - MINUTE_MS) break;
      this.buckets.delete(oldest);
    }
    return isFree ? 0 : Math.max(1, Math.ceil(((1 - filled) * MINUTE_MS) / perMinute / 1000));
  }

  get size(): number {
    return this.buckets.size;
  }
}
