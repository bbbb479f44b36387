/** `ms` moved by `months` in UTC; a day that the month does not have becomes its last. Count from the anchor, so that the 31st comes back. */
export function addMonths(ms: number, months: number): number {
  const from = new Date(ms);
  const first = new Date(ms);
  first.setUTCDate(1);
  first.setUTCMonth(first.getUTCMonth() + months);
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(from.getUTCDate(), days));
  return first.getTime();
}
