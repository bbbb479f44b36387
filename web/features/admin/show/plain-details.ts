/**
 * What one reads of the details of a line in the audit log: plain values, and how long credits were given for. The act itself is among
 * the details as it was sent; its user and its amount are said beside it. Credits are a change, below zero where they were taken.
 */
export function plainDetails(
  name: string,
  { act, ...others }: Readonly<Record<string, unknown>>,
): [string, string | number][] {
  const days = typeof act === 'object' && act !== null && 'days' in act ? { days: act.days } : {};
  return Object.entries({ ...others, ...days }).flatMap(([detail, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const isTaken = detail === 'credits' && name === 'take';
    return [[detail, isTaken ? -Number(value) : value] as [string, string | number]];
  });
}
