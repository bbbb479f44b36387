import { models } from 'virtual:models';
import { plans } from 'virtual:plans';
import { Check, Minus } from 'lucide-react';
import { Link } from 'react-router';
import type { CatalogueModel, Tier } from '#contract/catalogue.ts';
import { formatDay } from '#i18n/formats.ts';
import { contextSize, textSize } from '#web/features/catalogue/model-texts.ts';
import { type OfferedModel, useOfferedModels } from '#web/features/catalogue/use-offered-models.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { classNames } from '#web/ui/class-names.ts';
import { RichText } from '#web/ui/text/rich-text.tsx';
import { PageTitle } from './layout/page-title.tsx';
import { PlanLinks } from './plans/plan-links.tsx';

const HEAD = 'whitespace-nowrap px-1 pb-2 align-bottom font-normal max-md:text-xs md:px-0';
const CELL = 'px-1 align-top md:px-0 md:py-4';
const NUMBER = 'whitespace-nowrap text-right tabular-nums md:pr-8';

const COMING = models.filter(({ comingSoon }) => comingSoon);

export default function ModelsPage() {
  const { t, i18n } = useTranslation('common');
  const pathTo = useLocalPath();
  const offered = useOfferedModels();
  const names = new Intl.ListFormat(i18n.language, { style: 'narrow' });
  const coming = names.formatToParts(COMING.map(({ title }) => title[i18n.language]));
  const allSee = offered.every(({ readsImages }) => readsImages);
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="models" />
      <PageTitle title={t('models.title')}>{t('models.lead')}</PageTitle>
      <table className="w-full text-left md:table-fixed">
        <thead className="border-line border-b text-soft text-sm">
          <tr>
            <th scope="col" className={`${HEAD} pl-0! max-md:w-full md:w-[44%]`}>
              {t('models.model')}
            </th>
            <th scope="col" className={`${HEAD} ${NUMBER}`}>
              {t('models.cost')}
            </th>
            <th scope="col" className={`${HEAD} ${NUMBER}`}>
              {t('models.context')}
            </th>
            {plans.map(({ tier, title }) => (
              <th key={tier} scope="col" className={`${HEAD} text-center`}>
                {title[i18n.language]}
              </th>
            ))}
          </tr>
        </thead>
        {offered.map((model) => (
          <ModelRows key={model.id} model={model} />
        ))}
      </table>
      <section aria-labelledby="coming" className="mt-10 max-w-prose">
        <h2 id="coming" className="font-semibold text-lg">
          {t('models.comingSoon')}
        </h2>
        <p className="mt-1 text-soft">
          {coming.map(({ type, value }) =>
            type === 'element' ? (
              <span key={value} className="whitespace-nowrap">
                {value}
              </span>
            ) : (
              value
            ),
          )}
        </p>
      </section>
      <p className="mt-8 max-w-prose text-soft">
        {t(allSee ? 'models.documentsAndImages' : 'models.documents')}
      </p>
      <p className="mt-2 max-w-prose text-soft">
        <RichText
          text={t('models.byApi')}
          parts={{
            api: (text) => (
              <Link key="api" to={pathTo('api')} className="text-ink underline underline-offset-4">
                {text}
              </Link>
            ),
          }}
        />
      </p>
      <PlanLinks />
    </div>
  );
}

/** One model: its numbers in a row, and on a phone what it is good for across the whole table below them. */
function ModelRows({ model }: { model: OfferedModel }) {
  const { t, i18n } = useTranslation('common');
  const { cost, contextTokens, pictures } = model;
  return (
    <tbody className="border-line border-b max-md:[&>tr>*]:pt-3">
      <tr>
        <th scope="row" className={`${CELL} pl-0! font-normal`}>
          <span className="block text-balance font-medium">{model.title[i18n.language]}</span>
          <ModelNotes model={model} className="max-md:hidden" />
        </th>
        <td className={`${CELL} ${NUMBER} max-[22rem]:whitespace-normal`}>
          {pictures ? t('models.costFrom', { cost }) : cost}
        </td>
        <td className={`${CELL} ${NUMBER}`}>{contextSize(contextTokens)}</td>
        {plans.map(({ tier }) => (
          <PlanCell key={tier} tier={tier} model={model} />
        ))}
      </tr>
      <tr className="md:hidden">
        <td colSpan={3 + plans.length} className="pt-1! pb-3">
          <ModelNotes model={model} />
        </td>
      </tr>
    </tbody>
  );
}

/** What it will cost, what it is good for and how much it reads. */
function ModelNotes({ model, className }: { model: OfferedModel; className?: string }) {
  const { t, i18n } = useTranslation('common');
  const { language } = i18n;
  const { description, laterCosts, contextTokens, pictures, readsImages } = model;
  const later = laterCosts.map((each) =>
    t('models.costLater', {
      day: formatDay(language, new Date(each.from), 'UTC'),
      cost: each.cost,
      context: contextSize(each.contextTokens),
    }),
  );
  const words = t('models.contextWords', { words: textSize(language, contextTokens ?? 0) });
  return (
    <div className={classNames('text-pretty text-soft text-sm', className)}>
      {later.length > 0 ? <p className="text-ink">{later.join(' · ')}</p> : null}
      <p>
        <span className="inline-block">{description[language]}</span>
        {language === 'zh' ? null : ' '}
        <span className="inline-block">{words}</span>
      </p>
      {pictures ? <p>{t('models.imagePrices', { prices: pricesBySize(pictures.prices) })}</p> : null}
      {readsImages ? null : <p>{t('models.blind')}</p>}
    </div>
  );
}

/** `1K 20 · 2K 40`: what a picture of each size costs, in Credits. */
function pricesBySize(prices: Record<string, number>): string {
  return Object.entries(prices)
    .map(([size, cost]) => `${size} ${cost}`)
    .join(' · ');
}

function PlanCell({ tier, model }: { tier: Tier; model: CatalogueModel }) {
  const { t } = useTranslation('common');
  const includes = model.tiers.includes(tier);
  const Icon = includes ? Check : Minus;
  return (
    <td className={`${CELL} text-center`}>
      <Icon
        aria-hidden
        size={18}
        strokeWidth={1.5}
        className={`mx-auto mt-0.5 ${includes ? 'text-success' : 'text-soft'}`}
      />
      <span className="sr-only">{t(includes ? 'models.included' : 'models.notIncluded')}</span>
    </td>
  );
}
