import { models } from 'virtual:models';
import { Link } from 'react-router';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';
import { PageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { RichText } from '#web/ui/rich-text.tsx';
import { PageTitle } from './layout/page-title.tsx';

const CELL = 'py-4 pr-6 align-baseline';

export default function ModelsPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="models" />
      <PageTitle title={t('models.title')}>{t('models.lead')}</PageTitle>
      <table className="w-full text-left max-md:hidden">
        <thead className="border-line border-b text-soft text-sm">
          <tr>
            <th className={CELL}>{t('models.model')}</th>
            <th className={CELL}>{t('models.cost')}</th>
            <th className={CELL}>{t('models.context')}</th>
            <th className={CELL}>{t('models.plans')}</th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <ModelRow key={model.id} model={model} />
          ))}
        </tbody>
      </table>
      <ul className="md:hidden">
        {models.map((model) => (
          <ModelItem key={model.id} model={model} />
        ))}
      </ul>
      <p className="mt-8 max-w-prose text-soft">
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
    </div>
  );
}

function useModelTexts(model: CatalogueModel) {
  const { t, i18n } = useTranslation('common');
  const [first] = model.tiers;
  const plan = first && t(`models.tier.${first}`);
  return {
    title: model.title[i18n.language],
    description: model.description[i18n.language],
    cost: model.cost === null ? t('models.comingSoon') : t('models.costValue', { cost: model.cost }),
    context: model.contextTokens?.toLocaleString(languageTag(i18n.language)),
    plans: plan && t(planKey(model), { plan }),
  };
}

function planKey({ tiers }: CatalogueModel) {
  if (tiers.length === 3) return 'models.everyone';
  return tiers.length === 1 ? 'models.onlyTier' : 'models.fromTier';
}

function ModelRow({ model }: { model: CatalogueModel }) {
  const { title, description, cost, context, plans } = useModelTexts(model);
  return (
    <tr className="border-line border-b">
      <th scope="row" className={CELL}>
        <span className="font-medium">{title}</span>
        <span className="block font-normal text-soft text-sm">{description}</span>
        <ModelId model={model} />
      </th>
      <td className={`${CELL} whitespace-nowrap tabular-nums`}>{cost}</td>
      <td className={`${CELL} whitespace-nowrap tabular-nums`}>{context}</td>
      <td className={CELL}>{plans}</td>
    </tr>
  );
}

/** What the API calls it. */
function ModelId({ model }: { model: CatalogueModel }) {
  if (model.cost === null) return null;
  return (
    <code lang="zxx" className="block font-mono font-normal text-soft text-sm">
      {model.id}
    </code>
  );
}

function ModelItem({ model }: { model: CatalogueModel }) {
  const { t } = useTranslation('common');
  const { title, description, cost, context, plans } = useModelTexts(model);
  return (
    <li className="border-line border-t py-5">
      <h2 className="flex items-baseline justify-between gap-4 font-medium">
        <span>{title}</span>
        <span className="whitespace-nowrap text-sm tabular-nums">{cost}</span>
      </h2>
      <p className="text-soft text-sm">{description}</p>
      <ModelId model={model} />
      {plans ? (
        <p className="mt-1 flex justify-between gap-4 text-soft text-sm">
          <span>{plans}</span>
          <span className="tabular-nums">{t('models.contextOnPhone', { tokens: context ?? '' })}</span>
        </p>
      ) : null}
    </li>
  );
}
