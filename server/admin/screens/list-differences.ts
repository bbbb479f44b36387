import type { DifferencesScreen } from '#contract/admin/screens.ts';
import { parseFact } from '#server/billing/facts/fact-rules.ts';
import type { Deps } from '#server/deps.ts';
import { listQuarantined, type QuarantinedFact } from '../billing-records/list-quarantined.ts';
import { presentFact } from '../billing-records/present-fact.ts';
import { requireProviders } from '../billing-records/require-providers.ts';
import { selectUnattributedFacts } from '../billing-records/store.ts';
import { readTogether } from './read-together.ts';
import { selectUncredited } from './screen-store.ts';

/** As many as a person reads. */
const MAX_ROWS = 200;
/** What contradicts a charge that was granted comes first: nothing else tells of it. */
const ORDER: readonly QuarantinedFact['charge'][] = ['granted', 'not_granted', null];

/**
 * Looks through the payments of all users for what providers reported and does not act, as long as its caller waits; what
 * `listOrderLines` says already is left out. Throws `not_configured` as `requireProviders`.
 */
export const listDifferences = readTogether(async (deps: Deps, signal): Promise<DifferencesScreen> => {
  await requireProviders(deps);
  const { sql } = deps.database;
  const uncredited = await selectUncredited(sql, MAX_ROWS);
  const listed = new Set(uncredited.map(({ provider, transactionId }) => `${provider}:${transactionId}`));
  const found: QuarantinedFact[] = [];
  for await (const each of listQuarantined(deps, signal)) {
    if (each.charge === 'not_granted' && listed.has(`${each.provider}:${each.subject}`)) continue;
    found.push(each);
    if (found.length > MAX_ROWS) break;
  }
  const strange = signal.aborted ? [] : await selectUnattributedFacts(sql, MAX_ROWS);
  return {
    setAside: found
      .slice(0, MAX_ROWS)
      .sort((one, other) => ORDER.indexOf(one.charge) - ORDER.indexOf(other.charge)),
    hasMore: found.length > MAX_ROWS || strange.length === MAX_ROWS,
    unattributed: strange.map(({ id, observed_at, provider, subject, ambiguous, fact }) => ({
      ...presentFact(parseFact(fact)),
      id,
      provider,
      subject,
      isAmbiguous: ambiguous !== '',
      foundAt: observed_at.getTime(),
    })),
  };
});
