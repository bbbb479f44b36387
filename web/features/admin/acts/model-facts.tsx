import type { PausePreview, PricePreview } from '#contract/admin/acts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { dollarDigits, useFormat } from '../show/use-format.ts';

/** Whom pausing a model concerns, and what else they may use. */
export function PauseFacts({ pause: { users, running, others } }: { pause: PausePreview }) {
  const { t, i18n } = useTranslation('admin');
  const { whole, list } = useFormat();
  const { language } = i18n;
  return (
    <dl className="mt-1 flex flex-col gap-1 text-sm">
      <Fact name={t('admin.models.users')} value={whole(users)} />
      <Fact name={t('admin.models.running')} value={whole(running)} />
      {others.map(({ tier, models }) => (
        <div key={tier}>
          <dt>{t('admin.models.others', { tier: t(`models.tier.${tier}`) })}</dt>
          <dd className={models.length === 0 ? 'text-danger' : 'text-soft'}>
            {models.length === 0 ? t('admin.models.noOthers') : list(models.map((title) => title[language]))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Whom a price concerns, and what it would bring. */
export function PriceFacts({ price: { users, answers, margin, marginThen } }: { price: PricePreview }) {
  const { t } = useTranslation('admin');
  const { whole, dollars } = useFormat();
  const digits = dollarDigits([margin, marginThen]);
  return (
    <dl className="mt-1 flex flex-col gap-1 text-sm">
      <Fact name={t('admin.models.users')} value={whole(users)} />
      <Fact name={t('admin.models.answers30')} value={whole(answers)} />
      <Fact name={t('admin.models.marginNow')} value={dollars(margin, digits)} />
      <Fact name={t('admin.models.marginThen')} value={dollars(marginThen, digits)} />
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt>{name}</dt>
      <dd className="font-medium tabular-nums">{value}</dd>
    </div>
  );
}
