import type { Provider } from '#contract/billing.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import type { Mode } from '../providers/facts.ts';
import {
  type FactRow,
  insertHandles,
  selectFactsOfNobody,
  selectOwners,
  updateFactOwner,
  updateTorn,
} from './fact-store.ts';
import { isLeading, type Lead } from './lead-rules.ts';
import { modeOf } from './merge-facts.ts';

/**
 * Finds out whose facts are: an id in a fact leads to a user, all its other ids then lead there too, and so on until nothing
 * more is found. A fact whose ids lead to two users is nobody's and marked. Returns the users found. Needs the lock of the facts.
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
    const owners = await selectOwners(tx, provider, [...new Set(open.flatMap(({ leads }) => leads))]);
    const { placed, torn, found } = placeFacts(open, owners, mode);
    await updateTorn(tx, torn);
    for (const [userId, ids] of placed) {
      await updateFactOwner(tx, ids, userId);
      users.add(userId);
    }
    for (const [userId, leads] of found) await insertHandles(tx, provider, leads, userId);
    const news = [...found.values()].flat();
    open = news.length === 0 ? [] : await selectFactsOfNobody(tx, provider, news);
  }
  return [...users];
}

/** One fact after the other, so that what the first one binds counts for the next. Facts and new ids by user. */
function placeFacts(facts: readonly FactRow[], owners: Map<Lead, string>, mode: Mode) {
  const placed = new Map<string, string[]>();
  const found = new Map<string, Lead[]>();
  const torn: string[] = [];
  for (const row of facts) {
    const [userId, other] = usersOf(row, owners);
    if (other !== undefined) torn.push(row.id);
    if (userId === undefined || other !== undefined) continue;
    placed.set(userId, [...(placed.get(userId) ?? []), row.id]);
    if (!isLeading(row.fact, mode)) continue;
    const news = row.leads.filter((lead) => !lead.startsWith('order:') && !owners.has(lead));
    for (const lead of news) owners.set(lead, userId);
    found.set(userId, [...(found.get(userId) ?? []), ...news]);
  }
  return { placed, found, torn };
}

/** What was matched by guess counts only where nothing that was told leads anywhere. */
function usersOf({ fact, leads }: FactRow, owners: ReadonlyMap<Lead, string>): string[] {
  const isGuess = fact.kind === 'payment' && fact.match === 'inferred';
  const ownersOf = (some: readonly Lead[]) => [
    ...new Set(some.map((lead) => owners.get(lead)).filter((userId) => userId !== undefined)),
  ];
  const told = ownersOf(isGuess ? leads.filter((lead) => !lead.startsWith('order:')) : leads);
  return told.length > 0 || !isGuess ? told : ownersOf(leads);
}
