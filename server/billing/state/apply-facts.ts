import type { Provider } from '#contract/choices.ts';
import { externalRefsOf } from '../facts/external-ref-rules.ts';
import { digestOf, writeFact } from '../facts/fact-rules.ts';
import {
  type FactRow,
  type FactSource,
  insertFacts,
  lockFacts,
  type NewFact,
  selectFactsByDigest,
} from '../facts/fact-store.ts';
import { linkFacts } from '../facts/link-facts.ts';
import { modeOf } from '../facts/merge-facts.ts';
import type { Fact } from '../providers/facts.ts';
import { markDue } from './account-store.ts';
import { type ProjectDeps, projectUser } from './project-user.ts';
import { recordUnattributed } from './record-uncredited.ts';

/** Facts of a provider, and where they come from. */
export interface ReceivedFacts {
  provider: Provider;
  facts: readonly Fact[];
  source: FactSource;
  /** The webhook that brought them. */
  inboxId?: string;
}

/** An id becomes part of a key of the ledger, which ends at 200 characters. */
const MAX_ID = 150;

/**
 * Stores new facts, links them to users, and projects each of these users: grants, plan, orders. May
 * be repeated with the same facts, in any order and number, and after a crash at any point: the end is the same.
 */
export async function applyFacts(deps: ProjectDeps, received: ReceivedFacts): Promise<{ userIds: string[] }> {
  const userIds = await storeFacts(deps, received);
  for (const userId of userIds) await projectUser(deps, userId);
  return { userIds };
}

/** Returns the users of all the facts, known ones included: their projection may have been interrupted. */
async function storeFacts(deps: ProjectDeps, received: ReceivedFacts): Promise<string[]> {
  const { sql } = deps.database;
  const { provider } = received;
  const facts = distinctFacts(received, deps.clock.now());
  const digests = facts.map(({ digest }) => digest);
  const known = await selectFactsByDigest(sql, provider, digests);
  if (known.length === facts.length && known.every(isSettled)) return usersOf(known);
  return sql.begin(async (tx) => {
    await lockFacts(tx, provider);
    await insertFacts(tx, facts);
    const stored = await selectFactsByDigest(tx, provider, digests);
    const linked = await linkFacts(deps, tx, provider, stored);
    if (stored.some(({ userId }) => userId === null)) {
      const rows = await selectFactsByDigest(tx, provider, digests);
      await recordUnattributed(tx, provider, modeOf(deps.providers, provider), rows, deps.clock.now());
    }
    const users = [...new Set([...usersOf(stored), ...linked])].sort();
    for (const userId of users) await markDue(tx, userId, deps.clock.now());
    return users;
  });
}

function distinctFacts({ provider, facts, source, inboxId }: ReceivedFacts, observedAt: Date): NewFact[] {
  const all = facts.map(refuseLongIds).map(
    (fact): NewFact => ({
      provider,
      source,
      observedAt,
      inboxId: inboxId ?? null,
      kind: fact.kind,
      subject: subjectOf(fact),
      externalRefs: externalRefsOf(fact),
      fact: writeFact(fact),
      digest: digestOf(fact),
    }),
  );
  return [...new Map(all.map((fact) => [fact.fact, fact])).values()];
}

function refuseLongIds(fact: Fact): Fact {
  const isLong = externalRefsOf(fact).some((ref) => ref.length > MAX_ID);
  return isLong ? { kind: 'unknown', type: fact.kind, reason: 'an id of more than 150 characters' } : fact;
}

function subjectOf(fact: Fact): string {
  if (fact.kind === 'unknown') return fact.type;
  if (fact.kind === 'checkout') return fact.checkoutId ?? fact.orderId ?? fact.kind;
  return fact.kind === 'subscription' ? fact.subscriptionId : fact.transactionId;
}

function isSettled({ userId, externalRefs, isAmbiguous }: FactRow): boolean {
  return userId !== null || isAmbiguous || externalRefs.length === 0;
}

function usersOf(facts: readonly FactRow[]): string[] {
  return [...new Set(facts.map(({ userId }) => userId).filter((userId) => userId !== null))];
}
