/** An act as it was sent, as far as it is read here. */
interface SentAct {
  act?: string;
  credits?: number;
  days?: number;
  cost?: number;
  from?: string;
}

interface Details extends Readonly<Record<string, unknown>> {
  price?: { from: string; before: number; after: number };
}

/**
 * What one reads of the details of a line in the audit log: plain values, a price as what it replaced by what, and how long credits
 * were given for. The act itself is among the details as it was sent; its user and its amount are said beside it, unless it was only
 * proposed or refused. Credits are a change, below zero where they were taken.
 */
export function plainDetails(name: string, { act, price, ...others }: Details): [string, string | number][] {
  const sent: SentAct = typeof act === 'object' && act !== null ? act : {};
  const { act: proposed, credits, cost, from } = name === 'propose' || name === 'refuse' ? sent : {};
  const asked = { proposed, credits, price: [cost, from].filter((each) => each !== undefined).join(' · ') };
  const change = price ? { price: `${price.before} → ${price.after} · ${price.from}` } : {};
  return Object.entries({ ...asked, ...others, days: sent.days, ...change }).flatMap(([detail, value]) => {
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return [];
    const isTaken = detail === 'credits' && (name === 'take' || proposed === 'take');
    return [[detail, isTaken ? -Number(value) : value] as [string, string | number]];
  });
}
