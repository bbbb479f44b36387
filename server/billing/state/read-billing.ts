import { PROVIDERS } from '#contract/choices.ts';
import { type GrantRow, listGrants } from '#server/credits/grant-credits.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { selectFactsOfUser } from '../facts/fact-store.ts';
import { mergeFacts, modeOf } from '../facts/merge-facts.ts';
import { EMPTY_SNAPSHOT, type ProviderSnapshot } from '../facts/provider-snapshot.ts';
import { type Known, linkOrders, type PaidPeriod } from '../projection/link-orders.ts';
import { listOffers } from '../projection/list-offers.ts';
import { type BillingProjection, projectBilling } from '../projection/project-billing.ts';
import { projectDeletion } from '../projection/project-deletion.ts';
import { type Endings, selectEndings } from './cancellation-store.ts';
import { isLeaving, type OrderRow, selectAllOrders } from './order-store.ts';
import { readBlockedSince } from './read-blocked-since.ts';

/** All facts of one user's purchases, and their state now. */
export interface Billing {
  snapshot: ProviderSnapshot;
  /** What of it is to end and its provider had not confirmed when the reading began. */
  endings: Endings;
  orders: OrderRow[];
  /** What was booked of it, what is sold, and since when nothing is sold to the user. */
  known: Known & { booked: GrantRow[] };
  /** Every charge that pays something, sorted by time. */
  paid: PaidPeriod[];
  projection: BillingProjection;
}

/** The charges (`paymentKey`) that granted Credits, or do now; one that pays a period which another had paid grants nothing. */
export function listGranting({ known, projection }: Pick<Billing, 'known' | 'projection'>): Set<string> {
  return new Set([...known.booked, ...projection.grants].flatMap(({ paymentKey }) => paymentKey ?? []));
}

type ReadDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'providers'>;

/** Reads and projects one user's purchases; changes nothing. Empty for a user without purchases. */
export async function readBilling(
  deps: ReadDeps,
  userId: string,
  sql: Executor = deps.database.sql,
): Promise<Billing> {
  // Before the facts: an ending is done after its fact is stored, so that one of both is seen.
  const endings = await selectEndings(sql, userId);
  const orders = await selectAllOrders(sql, userId);
  const rows = await selectFactsOfUser(sql, userId);
  const snapshot = PROVIDERS.reduce((merged, provider) => {
    const facts = rows.filter((each) => each.provider === provider).map(({ fact }) => fact);
    return mergeFacts(merged, { provider, mode: modeOf(deps.providers, provider), facts });
  }, EMPTY_SNAPSHOT);
  const moment = { now: deps.clock.now().getTime(), graceMs: deps.config.graceMs };
  const booked = await listGrants(sql, userId);
  const granted = new Set(booked.map(({ paymentKey }) => paymentKey));
  const isAllGranted = [...snapshot.payments.keys()].every((key) => granted.has(key));
  const blockedSince = isAllGranted ? null : await readBlockedSince(deps, userId, snapshot, sql);
  const known = { booked, offers: listOffers(deps.config), blockedSince };
  const projection = projectBilling(snapshot, orders, moment, known);
  const { paid } = linkOrders(snapshot, orders, known);
  const billing = { snapshot, endings, orders, known, paid, projection };
  if (!(await isLeaving(sql, userId))) return billing;
  return { ...billing, projection: projectDeletion(projection, snapshot, paid, granted) };
}
