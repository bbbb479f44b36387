import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { digestOf } from '../facts/fact-rules.ts';
import { type FactRow, selectFactsByDigest } from '../facts/fact-store.ts';
import type { ConfirmDeps } from '../orders/confirm-order.ts';
import type { Fact, PaymentFact } from '../providers/facts.ts';
import { newestFirst } from '../providers/newest-first.ts';
import type { FactPage, PaymentProvider } from '../providers/provider.ts';
import { applyFacts } from '../state/apply-facts.ts';
import { findUnowned, linkCharges } from './link-charges.ts';
import type { ReviewScope } from './review-store.ts';

/** How far back charges are read. An annual plan can be refunded or disputed as long as it runs, and a little longer. */
const DEPTH_MS: Record<ReviewScope, number> = { new: 2 * DAY_MS, recent: 15 * DAY_MS, all: 400 * DAY_MS };
/** Charges that one review asks about: a list may be full of others'. */
const MAX_LOOK_UPS = 500;
/** However long a list is said to be: 100,000 charges. */
const MAX_PAGES: Record<ReviewScope, number> = { new: 40, recent: 400, all: 2_000 };
/** A charge may be listed this long after its time. */
const LATE_MS = 10 * MINUTE_MS;
/** An unattributed charge may find its user later: its subscription may be listed after it. */
const STRANGE_MS = 10 * MINUTE_MS;
/** Such charges of our buyers that one review asks about again: they may have been made in another shop. */
const MAX_STRANGE = 20;
/** Between two pages, so that a long list costs the provider 120 calls a minute at most. */
const PAUSE_MS = 500;

export interface ReviewOptions {
  /** Charges that are older were read before: `new` ends there. Null: at its depth. */
  readTo?: Date | null;
  pauseMs?: number;
  /** After each page: the review goes on. */
  onPage?: () => Promise<unknown>;
}

/**
 * Reads a provider's lists of charges, and of subscriptions for `all`, so that nothing stays unknown when every webhook was lost:
 * what is new is taken over, and a charge that names neither order nor subscription is looked for among ours. `new` ends where the
 * last one began. Rejects with `ProviderError`; repeating it does no harm.
 */
export async function reconcileProvider(
  deps: ConfirmDeps,
  provider: PaymentProvider,
  scope: ReviewScope = 'all',
  { readTo = null, pauseMs = PAUSE_MS, onPage = async () => {} }: ReviewOptions = {},
): Promise<void> {
  const afterPage = async () => {
    await onPage();
    if (pauseMs > 0) await sleep(pauseMs, undefined, { ref: false });
  };
  if (scope === 'all') await reviewSubscriptions(deps, provider, afterPage);
  const since = deps.clock.now().getTime() - DEPTH_MS[scope];
  const from = scope === 'new' && readTo ? Math.max(since, readTo.getTime() - LATE_MS) : since;
  await reviewCharges(deps, provider, scope, { from, afterPage });
}

async function reviewSubscriptions(
  deps: ConfirmDeps,
  provider: PaymentProvider,
  afterPage: () => Promise<void>,
): Promise<void> {
  let next: number | null = 1;
  while (next !== null && next <= MAX_PAGES.all) {
    const { facts, nextPage } = await provider.listSubscriptions(next);
    const { fresh } = await sortOut(deps, provider, facts);
    await applyFacts(deps, { provider: provider.name, facts: fresh, source: 'sweep' });
    next = nextPage;
    if (next !== null) await afterPage();
  }
}

async function reviewCharges(
  deps: ConfirmDeps,
  provider: PaymentProvider,
  scope: ReviewScope,
  { from, afterPage }: { from: number; afterPage: () => Promise<void> },
): Promise<void> {
  const now = deps.clock.now().getTime();
  const pages = newestFirst<FactPage>((page) => provider.listTransactions(page), timesOf);
  let [again, left] = [MAX_STRANGE, MAX_LOOK_UPS];
  let count = 0;
  for await (const page of pages) {
    const { fresh, strange } = await sortOut(deps, provider, page.facts);
    const waiting = scope === 'new' ? strange.filter((fact) => isRecent(fact, now)) : strange;
    const asked = (await findUnowned(deps, provider, waiting)).slice(0, again);
    left -= await takeOver(deps, provider, [...fresh, ...asked], left);
    again -= asked.length;
    const times = timesOf(page);
    const isOld = times.length > 0 && times.every((time) => time < from) && fresh.length === 0;
    count += 1;
    if (isOld || count >= MAX_PAGES[scope]) return;
    await afterPage();
  }
}

/** The new facts of a page, and its known charges that are still unattributed. */
async function sortOut(
  deps: ConfirmDeps,
  { name, mode }: PaymentProvider,
  facts: readonly Fact[],
): Promise<{ fresh: Fact[]; strange: PaymentFact[] }> {
  const ours = facts.filter((fact) => fact.kind === 'unknown' || fact.mode === null || fact.mode === mode);
  const rows = await selectFactsByDigest(deps.database.sql, name, ours.map(digestOf));
  const known = new Map(rows.map((row) => [row.digest, row]));
  return {
    fresh: ours.filter((fact) => !known.has(keyOf(fact))),
    strange: ours.filter(isCharge).filter((fact) => isUnattributed(known.get(keyOf(fact)))),
  };
}

function isUnattributed(row: FactRow | undefined): boolean {
  return row !== undefined && row.userId === null && !row.isAmbiguous;
}

/** A charge that says itself whose it is takes effect at once; the others are looked for first. Returns how many were. */
async function takeOver(
  deps: ConfirmDeps,
  provider: PaymentProvider,
  facts: readonly Fact[],
  maxLookUps: number,
): Promise<number> {
  if (facts.length === 0) return 0;
  const bare = facts.filter(isBareCharge);
  const plain = facts.filter((fact) => !isBareCharge(fact));
  await applyFacts(deps, { provider: provider.name, facts: plain, source: 'sweep' });
  const count = await linkCharges(deps, provider, facts.filter(isCharge), maxLookUps);
  await applyFacts(deps, { provider: provider.name, facts: bare, source: 'sweep' });
  return count;
}

function timesOf({ facts }: { facts: readonly Fact[] }): number[] {
  return facts.filter(isCharge).flatMap(({ paidAt }) => paidAt?.getTime() ?? []);
}

function isRecent({ paidAt }: PaymentFact, now: number): boolean {
  return paidAt !== null && paidAt.getTime() > now - STRANGE_MS;
}

const keyOf = (fact: Fact): string => digestOf(fact).toString('hex');

function isCharge(fact: Fact): fact is PaymentFact {
  return fact.kind === 'payment';
}

/** A charge that names neither order nor subscription. */
function isBareCharge(fact: Fact): fact is PaymentFact {
  return isCharge(fact) && fact.orderId === null && fact.subscriptionId === null;
}
