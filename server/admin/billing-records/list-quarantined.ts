import type { Quarantined } from '#server/billing/projection/link-orders.ts';
import { readBilling } from '#server/billing/state/read-billing.ts';
import type { Deps } from '#server/deps.ts';
import { selectPayers } from './store.ts';

const PAGE = 200;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Something of a user that a provider reported and that does not act. */
export interface QuarantinedFact extends Quarantined {
  userId: string;
  /** Null: the account is deleted. */
  email: string | null;
}

/** What does not act, user by user, until `signal` is aborted: guesses, contradictions, what was not understood. Reads every payer. */
export async function* listQuarantined(deps: Deps, signal?: AbortSignal): AsyncGenerator<QuarantinedFact> {
  let after = NOBODY;
  for (;;) {
    const payers = await selectPayers(deps.database.sql, after, PAGE);
    for (const { id, email } of payers) {
      if (signal?.aborted) return;
      const { projection } = await readBilling(deps, id);
      for (const each of projection.quarantine) yield { userId: id, email, ...each };
    }
    const last = payers.at(-1);
    if (!last || payers.length < PAGE) return;
    after = last.id;
  }
}
