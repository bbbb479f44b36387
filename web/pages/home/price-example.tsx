import { plans } from 'virtual:plans';
import { useState } from 'react';
import type { Tier } from '#contract/catalogue.ts';
import { messagesFor } from '#web/features/catalogue/plan-price.ts';
import { usePrices } from '#web/features/catalogue/use-prices.ts';
import { useTranslation } from '#web/lib/i18n.tsx';

interface PricedModel {
  id: string;
  title: string;
  /** Credits a message, or for the smallest picture. */
  cost: number;
  makesPictures: boolean;
  /** The plans that include it. */
  tiers: Tier[];
}

interface PriceExampleProps {
  models: readonly PricedModel[];
  /** The model that is chosen at first. */
  defaultTitle: string;
}

/** Choose a model: what one message or picture costs, and how many a month of each plan holds. */
export function PriceExample({ models: built, defaultTitle }: PriceExampleProps) {
  const { t } = useTranslation('common');
  const { priceOf, isOffered } = usePrices();
  const models = built
    .filter(({ id }) => isOffered(id))
    .map((model) => ({ ...model, cost: priceOf(model.id)?.cost ?? model.cost }));
  const [title, setTitle] = useState(defaultTitle);
  const chosen = models.find((model) => model.title === title);
  return (
    <section aria-labelledby="price-example" className="page section">
      <h2 id="price-example" className="headline text-4xl">
        {t('home.priceTitle')}
      </h2>
      <p className="mt-2 max-w-prose text-soft">{t('home.priceText')}</p>
      <div className="mt-6 grid items-center gap-x-16 gap-y-6 sm:mt-10 sm:gap-y-10 lg:grid-cols-2">
        <fieldset>
          <legend className="sr-only">{t('models.model')}</legend>
          {models.map((model) => (
            <label
              key={model.title}
              className="-mx-3 relative flex min-h-11 items-center justify-between gap-4 rounded-control px-3 hover:bg-sunken has-checked:bg-selected has-checked:inset-ring has-checked:inset-ring-edge has-checked:marked-in-forced-colors has-focus-visible:outline-2 has-focus-visible:outline-ink sm:min-h-12"
            >
              <input
                type="radio"
                name="price-example"
                checked={model.title === title}
                onChange={() => setTitle(model.title)}
                className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-control outline-none"
              />
              <span>{model.title}</span>
              <span className="whitespace-nowrap text-soft text-sm tabular-nums">
                {t(priceKey(model), { cost: model.cost })}
              </span>
            </label>
          ))}
        </fieldset>
        {chosen ? <MonthOf model={chosen} /> : null}
      </div>
    </section>
  );
}

function priceKey({ makesPictures }: PricedModel): 'drawing.from' | 'models.costValue' {
  return makesPictures ? 'drawing.from' : 'models.costValue';
}

/** What a message or a picture of a model costs, and how many fit into a month of each plan. */
function MonthOf({ model }: { model: PricedModel }) {
  const { t, i18n } = useTranslation('common');
  return (
    <div className="speech">
      <p aria-live="polite" className="flex flex-wrap items-baseline gap-x-3">
        <span className="headline text-5xl tabular-nums">{t(priceKey(model), { cost: model.cost })}</span>
        <span className="text-soft">
          {t(model.makesPictures ? 'home.pricePerImage' : 'home.pricePerMessage')}
        </span>
      </p>
      <dl className="mt-6">
        {plans.map(({ tier, title, prices }) => {
          const credits = prices.find(({ cycle }) => cycle === 'monthly')?.credits ?? 0;
          const includes = model.tiers.includes(tier);
          return (
            <div key={tier} className="flex items-baseline justify-between gap-4 border-line border-t py-3">
              <dt>
                {title[i18n.language]}
                <span className="block text-soft text-sm tabular-nums">
                  {t('plan.creditsMonthly', { credits })}
                </span>
              </dt>
              <dd className={includes ? 'text-lg tabular-nums' : 'text-soft text-sm'}>
                {includes
                  ? t(model.makesPictures ? 'home.priceImages' : 'home.priceCount', {
                      count: messagesFor(credits, model.cost),
                    })
                  : t('home.priceNotIncluded')}
              </dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}
