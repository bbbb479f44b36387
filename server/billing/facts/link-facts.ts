import type { Provider } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import type { Mode } from '../providers/facts.ts';
import { bindsRefs, type ExternalRef } from './external-ref-rules.ts';
import {
  type FactRow,
  insertExternalRefs,
  selectOwners,
  selectUnattributedFacts,
  updateAmbiguous,
  updateFactOwner,
} from './fact-store.ts';
import { modeOf } from './merge-facts.ts';

/**
 * Links facts to users. When one id of a fact belongs to a user, all its other ids do too; this repeats until no more facts are
 * found. A fact whose ids belong to two users is marked as ambiguous. Returns the users found, and those whose charge an ambiguous fact
 * names. Needs the lock of the facts.
 */
export async function linkFacts(
  deps: Pick<Deps, 'providers'>,
  tx: Executor,
  provider: Provider,
  facts: readonly FactRow[],
): Promise<string[]> {
  const users = new Set<string>();
  const mode = modeOf(deps.providers, provider);
  let open = facts.filter(({ userId }) => userId === null);
  while (open.length > 0) {
    const owners = await selectOwners(tx, provider, [
      ...new Set(open.flatMap(({ externalRefs }) => externalRefs)),
    ]);
    const { placed, ambiguous, found } = placeFacts(open, owners, mode);
    await updateAmbiguous(
      tx,
      ambiguous.map(({ id }) => id),
    );
    for (const row of ambiguous) {
      const payer = payerOf(row, owners);
      if (payer !== undefined) users.add(payer);
    }
    for (const [userId, ids] of placed) {
      await updateFactOwner(tx, ids, userId);
      users.add(userId);
    }
    for (const [userId, refs] of found) await insertExternalRefs(tx, provider, refs, userId);
    const news = [...found.values()].flat();
    open = news.length === 0 ? [] : await selectUnattributedFacts(tx, provider, news);
  }
  return [...users];
}

/** One fact after the other, so that what the first one binds counts for the next. Facts and new ids by user. */
function placeFacts(facts: readonly FactRow[], owners: Map<ExternalRef, string>, mode: Mode) {
  const placed = new Map<string, string[]>();
  const found = new Map<string, ExternalRef[]>();
  const ambiguous: FactRow[] = [];
  for (const row of facts) {
    const [userId, other] = usersOf(row, owners);
    if (other !== undefined) ambiguous.push(row);
    if (userId === undefined || other !== undefined) continue;
    placed.set(userId, [...(placed.get(userId) ?? []), row.id]);
    if (!bindsRefs(row.fact, mode)) continue;
    const news = row.externalRefs.filter((ref) => !ref.startsWith('order:') && !owners.has(ref));
    for (const ref of news) owners.set(ref, userId);
    found.set(userId, [...(found.get(userId) ?? []), ...news]);
  }
  return { placed, found, ambiguous };
}

/** Whose charge a fact names. */
function payerOf({ externalRefs }: FactRow, owners: ReadonlyMap<ExternalRef, string>): string | undefined {
  const charge = externalRefs.find((ref) => ref.startsWith('transaction:'));
  return charge && owners.get(charge);
}

/**
 * A refund or dispute of somebody's charge is theirs, whatever order it names: whoever was granted for the charge loses with it. A guess
 * counts only where no other id leads to a user.
 */
function usersOf(row: FactRow, owners: ReadonlyMap<ExternalRef, string>): string[] {
  const { fact, externalRefs } = row;
  const payer = fact.kind === 'refund' || fact.kind === 'dispute' ? payerOf(row, owners) : undefined;
  if (payer !== undefined) return [payer];
  const isGuess = fact.kind === 'payment' && fact.match === 'inferred';
  const ownersOf = (some: readonly ExternalRef[]) => [
    ...new Set(some.map((ref) => owners.get(ref)).filter((userId) => userId !== undefined)),
  ];
  const certain = ownersOf(isGuess ? externalRefs.filter((ref) => !ref.startsWith('order:')) : externalRefs);
  return certain.length > 0 || !isGuess ? certain : ownersOf(externalRefs);
}
