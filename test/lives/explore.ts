import { isDeepStrictEqual } from 'node:util';
import type { Provider } from '#contract/choices.ts';
import { mergeFacts } from '#server/billing/facts/merge-facts.ts';
import { GRACE_MS } from '#server/billing/facts/period-rules.ts';
import { EMPTY_SNAPSHOT, type ProviderSnapshot } from '#server/billing/facts/provider-snapshot.ts';
import { type BillingProjection, projectBilling } from '#server/billing/projection/project-billing.ts';
import type { Fact } from '#server/billing/providers/facts.ts';
import { dayOf, linesOf } from './bucket-lines.ts';
import type { RecordedLife } from './collect.ts';
import { type Ledger, settle } from './ledger.ts';
import type { End } from './lives.ts';

/** Something that is reported once or again: a webhook as it was read, or the provider's own answers. */
export interface Report {
  label: string;
  facts: readonly Fact[];
}

/** What one life came to, reported in one way. */
export interface Reached {
  /** The reports in their order, the shortest that leads here. */
  path: string[];
  told: ReadonlySet<string>;
  end: End;
}

/** A ledger and a way that leads to it. */
interface Stop {
  ledger: Ledger;
  path: string[];
}

/** All that many orders of reporting lead to. */
export interface Explored {
  reached: Reached[];
  /** Ways in which the order of reporting changes what is known, or a second look changes the ledger. */
  unsteady: string[][];
  /** How many reports were looked at. */
  steps: number;
}

/**
 * Every state that a life's reports lead to, in every order and with any of them left out or reported again. What is merged does not
 * depend on the order, which is checked for every pair; so the reports that came so far are a set, and only the ledgers that its
 * orders lead to are kept apart. This walks all orders without walking each.
 */
export function explore(life: RecordedLife, reports: readonly Report[], provider: Provider): Explored {
  const explored: Explored = { reached: [], unsteady: [], steps: 0 };
  const snapshots: ProviderSnapshot[] = [EMPTY_SNAPSHOT];
  const stops: Map<string, Stop>[] = Array.from({ length: 2 ** reports.length }, () => new Map());
  stops[0]?.set('', { ledger: [], path: [] });
  for (const [set, arrived] of stops.entries()) {
    const snapshot = snapshots[set];
    if (!snapshot) throw new Error('a set is reached from a smaller one');
    const told = new Set(reports.filter((_, bit) => set & (1 << bit)).map(({ label }) => label));
    const settled = settleAll(life, snapshot, arrived);
    for (const { projection, ledger, path, isSteady } of settled.values()) {
      explored.reached.push({ path, told, end: endOf(projection, ledger, life.names) });
      if (!isSteady) explored.unsteady.push(path);
    }
    for (const [bit, report] of reports.entries()) {
      const next = set | (1 << bit);
      const merged = mergeFacts(snapshot, { provider, mode: 'test', facts: report.facts });
      snapshots[next] ??= merged;
      explored.steps += settled.size;
      for (const [key, { ledger, path }] of settled) {
        const onward = { ledger, path: [...path, report.label] };
        if (!isDeepStrictEqual(merged, snapshots[next])) explored.unsteady.push(onward.path);
        if (next !== set && !stops[next]?.has(key)) stops[next]?.set(key, onward);
      }
    }
  }
  return explored;
}

/** What the ledgers that led here become, each once. */
function settleAll(
  { life, orders, offers }: RecordedLife,
  snapshot: ProviderSnapshot,
  arrived: ReadonlyMap<string, Stop>,
) {
  const moment = { now: Date.parse(life.judgedAt), graceMs: GRACE_MS };
  const project = (booked: Ledger) =>
    projectBilling(snapshot, orders, moment, { booked, offers, blockedSince: null });
  const settled = new Map<string, Stop & { projection: BillingProjection; isSteady: boolean }>();
  for (const { ledger: before, path } of arrived.values()) {
    const ledger = settle(before, project(before));
    const key = JSON.stringify(ledger);
    if (settled.has(key)) continue;
    const projection = project(ledger);
    settled.set(key, {
      ledger,
      path,
      projection,
      isSteady: JSON.stringify(settle(ledger, projection)) === key,
    });
  }
  return settled;
}

/** Where a projection and the ledger stand, in the words of a life's end. */
function endOf(projection: BillingProjection, ledger: Ledger, names: ReadonlyMap<string, string>): End {
  const { subscription, subscriptions, orders } = projection;
  const nameOf = (orderId: string | null) => names.get(orderId ?? '') ?? 'nobody';
  const until = subscriptions[0]?.paidUntil ?? null;
  return {
    plan: subscription
      ? `${subscription.planKey} ${subscription.state} ${until === null ? '-' : dayOf(until)}`
      : 'none',
    orders: Object.fromEntries(orders.map(({ orderId, status }) => [nameOf(orderId), status])),
    credits: linesOf(ledger.map((each) => ({ ...each, order: nameOf(each.orderId) }))),
  };
}
