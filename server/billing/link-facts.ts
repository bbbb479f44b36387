import type { Provider } from '#contract/billing.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database.ts';
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
    const found = open.map((fact) => ({ fact, users: usersOf(fact, owners) }));
    await updateTorn(tx, idsOf(found.filter((each) => each.users.length > 1)));
    const news = new Set<Lead>();
    for (const userId of new Set(found.flatMap((each) => (each.users.length === 1 ? each.users : [])))) {
      const own = found.filter((each) => each.users.length === 1 && each.users[0] === userId);
      await updateFactOwner(tx, idsOf(own), userId);
      const leads = own.flatMap(({ fact }) => (isLeading(fact.fact, mode) ? fact.leads : []));
      const handles = leads.filter((lead) => !lead.startsWith('order:') && !owners.has(lead));
      await insertHandles(tx, provider, handles, userId);
      for (const lead of handles) news.add(lead);
      users.add(userId);
    }
    open = news.size === 0 ? [] : await selectFactsOfNobody(tx, provider, [...news]);
  }
  return [...users];
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

function idsOf(found: readonly { fact: FactRow }[]): string[] {
  return found.map(({ fact }) => fact.id);
}
