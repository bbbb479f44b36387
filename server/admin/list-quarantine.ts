import { readBilling } from '#server/billing/state/read-billing.ts';
import type { Deps } from '#server/deps.ts';
import type { Section } from './present-sections.ts';
import { presentStored } from './records/present-fact.ts';
import { type Row, selectPayers, selectUnattributedFacts } from './records/store.ts';

const PAGE = 200;
const NOBODY = '00000000-0000-0000-0000-000000000000';
const MAX_FACTS = 200;

/** Lists all facts that have no effect, over all users: unattributed facts, contradictions and guesses. */
export async function listQuarantine(deps: Deps): Promise<Section[]> {
  const rows: Row[] = [];
  let after = NOBODY;
  for (;;) {
    const payers = await selectPayers(deps.database.sql, after, PAGE);
    for (const { id, who } of payers) {
      const { projection } = await readBilling(deps, id);
      rows.push(...projection.quarantine.map((each) => ({ user: who, ...each })));
    }
    const last = payers.at(-1);
    if (!last || payers.length < PAGE) break;
    after = last.id;
  }
  const strange = await selectUnattributedFacts(deps.database.sql, MAX_FACTS);
  return [
    { title: '待核对 Quarantine', rows },
    { title: '不知属于谁 Of nobody we know', rows: strange.map(presentStored) },
  ];
}
