/**
 * What one reads of the details of a line in the audit log: plain values, and how long credits were given for. The act itself is among
 * the details as it was sent; its user and its amount are said beside it.
 */
export function plainDetails({
  act,
  ...others
}: Readonly<Record<string, unknown>>): [string, string | number][] {
  const days = typeof act === 'object' && act !== null && 'days' in act ? { days: act.days } : {};
  return Object.entries({ ...others, ...days }).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number'
      ? [[name, value] as [string, string | number]]
      : [],
  );
}
