import type { Deps } from '#server/deps.ts';
import { listQuarantined } from './billing-records/list-quarantined.ts';
import { presentStored } from './billing-records/present-fact.ts';
import { type Row, selectUnattributedFacts } from './billing-records/store.ts';
import type { Section } from './present-sections.ts';

const MAX_FACTS = 200;

/** Lists all facts that have no effect, over all users: unattributed facts, contradictions and guesses. */
export async function listQuarantine(deps: Deps): Promise<Section[]> {
  const rows: Row[] = [];
  for await (const { userId, email, ...each } of listQuarantined(deps))
    rows.push({ user: email ?? userId, ...each });
  const strange = await selectUnattributedFacts(deps.database.sql, MAX_FACTS);
  return [
    { title: '待核对 Quarantine', rows },
    { title: '不知属于谁 Of nobody we know', rows: strange.map(presentStored) },
  ];
}
