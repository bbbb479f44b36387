import { models } from 'virtual:models';
import { plans } from 'virtual:plans';
import { defaultModelTitle } from 'virtual:site';
import { useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';

/** Models that have a price, the cheapest first. */
const PRICED = models
  .flatMap(({ cost, ...model }) => (cost === null ? [] : [{ ...model, cost }]))
  .sort((one, other) => one.cost - other.cost);
type PricedModel = (typeof PRICED)[number];

/** Choose a model: what one message costs, and how many a month of each plan holds. */
export function PriceExample() {
  const { t, i18n } = useTranslation('common');
  const [id, setId] = useState(
    () => PRICED.find(({ title }) => title.en === defaultModelTitle.en)?.id ?? PRICED[0]?.id,
  );
  const chosen = PRICED.find((model) => model.id === id);
  return (
    <section aria-labelledby="price-example" className="page py-20">
      <h2 id="price-example" className="headline text-4xl">
        {t('home.priceTitle')}
      </h2>
      <p className="mt-2 max-w-prose text-soft">{t('home.priceText')}</p>
      <div className="mt-10 grid items-center gap-x-16 gap-y-10 lg:grid-cols-2">
        <fieldset>
          <legend className="sr-only">{t('models.model')}</legend>
          {PRICED.map((model) => (
            <label
              key={model.id}
              className="-mx-3 relative flex min-h-12 items-center justify-between gap-4 rounded-control px-3 hover:bg-sunken has-checked:bg-selected has-focus-visible:outline-2 has-focus-visible:outline-ink"
            >
              <input
                type="radio"
                name="price-example"
                checked={model.id === id}
                onChange={() => setId(model.id)}
                className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-control outline-none"
              />
              <span>{model.title[i18n.language]}</span>
              <span className="whitespace-nowrap text-soft text-sm tabular-nums">
                {t('models.costValue', { cost: model.cost })}
              </span>
            </label>
          ))}
        </fieldset>
        {chosen ? <MonthOf model={chosen} /> : null}
      </div>
    </section>
  );
}

/** What a message of a model costs, and how many fit into a month of each plan. */
function MonthOf({ model }: { model: PricedModel }) {
  const { t, i18n } = useTranslation('common');
  return (
    <div className="speech">
      <p aria-live="polite" className="flex flex-wrap items-baseline gap-x-3">
        <span className="headline text-5xl tabular-nums">{t('models.costValue', { cost: model.cost })}</span>
        <span className="text-soft">{t('home.pricePerMessage')}</span>
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
                  ? t('home.priceCount', { count: Math.floor(credits / model.cost) })
                  : t('home.priceNotIncluded')}
              </dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}
