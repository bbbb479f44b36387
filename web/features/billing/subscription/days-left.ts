const DAY_MS = 86_400_000;

/** Days until an expiry, both in epoch milliseconds: rounded up, never below 0 (specification, section 9). */
export function daysLeft(expiresAt: number, now: number): number {
  return Math.max(0, Math.ceil((expiresAt - now) / DAY_MS));
}
