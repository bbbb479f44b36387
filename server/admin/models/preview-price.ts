import type { ActEffect, PricePreview } from '#contract/admin/acts.ts';
import type { Effort } from '#contract/message/quotes.ts';
import { DAY_MS } from '#contract/time.ts';
import { type PlannedPrice, type PriceChange, planPrice } from '#server/catalogue/change-price.ts';
import { contextTokensOf } from '#server/catalogue/context-rules.ts';
import { readModels } from '#server/catalogue/read-models.ts';
import { effortsOf } from '#server/catalogue/rules.ts';
import type { Deps } from '#server/deps.ts';
import { daysOf } from '../margin/margin-rules.ts';
import { readMarginOfDays } from '../margin/read-margin-of-days.ts';
import { countUse } from './model-store.ts';

/** What a change of a price would do from its day on, and whom it concerns. Throws as `changePrice`. */
export async function previewPrice(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  change: PriceChange,
): Promise<{ effects: ActEffect[]; price: PricePreview; planned: PlannedPrice }> {
  const now = deps.clock.now();
  const planned = planPrice(await readModels(deps.database.sql), change, now);
  const { today, before, after } = planned;
  const { users } = await countUse(deps.database.sql, change.model, new Date(now.getTime() - DAY_MS));
  const { byModel } = await readMarginOfDays(deps, daysOf({}, now));
  const line = byModel.find(({ name }) => name === change.model);
  const { answers = 0, credits = 0, revenue = 0, margin = 0 } = line ?? {};
  // Of what was earned, the part that the price of a message brought: searches and long files cost the same as before.
  const ofMessages = credits === 0 ? 0 : Math.min(1, (answers * today) / credits);
  const more = Math.round(revenue * ofMessages * (after / today - 1));
  return {
    effects: [{ what: 'cost', before, after }, ...contextEffect(deps, planned, change.from)],
    price: { users, answers, margin, marginThen: margin + more },
    planned,
  };
}

/** A model reads as much of a conversation as its price pays for, less where it thinks much. */
function contextEffect(
  { config }: Pick<Deps, 'config'>,
  { model, before, after }: PlannedPrice,
  from: string,
): ActEffect[] {
  const { chains } = config.upstream;
  const readAt = (cost: number, effort?: Effort) =>
    contextTokensOf({ ...model, cost, laterCosts: [] }, chains, new Date(from), effort);
  const hasEfforts = effortsOf(model.id, chains).includes('high');
  return [
    { what: 'context_tokens' as const, before: readAt(before), after: readAt(after) },
    ...(hasEfforts
      ? [
          {
            what: 'context_tokens_high' as const,
            before: readAt(before, 'high'),
            after: readAt(after, 'high'),
          },
        ]
      : []),
  ].filter((effect) => effect.before !== effect.after);
}
