interface Details extends Readonly<Record<string, unknown>> {
  price?: { from: string; before: number; after: number };
}

/**
 * What one reads of the details of a line in the audit log: plain values, a price as what it replaced by what, and how long credits
 * were given for. The act itself is among the details as it was sent; its user and its amount are said beside it. Credits are a
 * change, below zero where they were taken.
 */
export function plainDetails(name: string, { act, price, ...others }: Details): [string, string | number][] {
  const days = typeof act === 'object' && act !== null && 'days' in act ? { days: act.days } : {};
  const change = price ? { price: `${price.before} → ${price.after} · ${price.from}` } : {};
  return Object.entries({ ...others, ...days, ...change }).flatMap(([detail, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const isTaken = detail === 'credits' && name === 'take';
    return [[detail, isTaken ? -Number(value) : value] as [string, string | number]];
  });
}
