import type { Tier } from '#contract/catalogue.ts';
import { contextSize } from '#web/features/catalogue/model-texts.ts';
import { useOfferedModels } from '#web/features/catalogue/use-offered-models.ts';
import { useTranslation } from '#web/lib/i18n.tsx';

const CELL = 'py-2.5 pr-4 align-baseline last:pr-0';
const NUMBER = `${CELL} whitespace-nowrap text-right tabular-nums`;
const NAME = 'block font-mono text-[0.8125rem] wrap-anywhere';

/** The models by the names that requests give, with what a request costs and which plans may ask them. */
export function ModelPrices() {
  const { t, i18n } = useTranslation('common');
  const models = useOfferedModels();
  return (
    <table className="mt-4 w-full text-left text-sm">
      <thead className="border-line border-b text-soft">
        <tr>
          <th scope="col" className={`${CELL} font-normal`}>
            {t('models.model')}
          </th>
          <th scope="col" className={`${NUMBER} font-normal`}>
            {t('models.cost')}
          </th>
          <th scope="col" className={`${NUMBER} font-normal sm:pl-6`}>
            {t('models.context')}
          </th>
          <th scope="col" className={`${CELL} font-normal max-sm:hidden sm:pl-6`}>
            {t('api.modelPlans')}
          </th>
        </tr>
      </thead>
      <tbody>
        {models.map(({ id, title, cost, contextTokens, pictures, tiers }) => (
          <tr key={id} className="border-line border-b">
            <th scope="row" className={`${CELL} w-full font-normal`}>
              <code lang="zxx" className={NAME}>
                {id}
              </code>
              <span className="text-soft">{title[i18n.language]}</span>
              <span className="block text-soft sm:hidden">
                <Plans tiers={tiers} />
              </span>
            </th>
            <td className={NUMBER}>{pictures ? t('models.costFrom', { cost }) : cost}</td>
            <td className={`${NUMBER} sm:pl-6`}>{contextSize(contextTokens)}</td>
            <td className={`${CELL} whitespace-nowrap max-sm:hidden sm:pl-6`}>
              <Plans tiers={tiers} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The plan from which on a model may be asked. */
function Plans({ tiers }: { tiers: readonly Tier[] }) {
  const { t } = useTranslation('common');
  const [lowest] = tiers;
  if (!lowest) return null;
  if (lowest === 'free') return t('api.everyPlan');
  return t(tiers.length === 1 ? 'models.onlyTier' : 'models.fromTier', { plan: t(`models.tier.${lowest}`) });
}
