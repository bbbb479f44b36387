import type { Cycle } from '#contract/billing.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Segmented } from '#web/ui/segmented.tsx';

/** By the year or by the month; the year says what it saves. */
export function CycleChoice({ cycle, onChange }: { cycle: Cycle; onChange: (cycle: Cycle) => void }) {
  const { t } = useTranslation('common');
  const annual = (
    <>
      {t('plan.annual')}
      <span className="ml-1.5 text-success">{t('plan.annualSaving')}</span>
    </>
  );
  return (
    <Segmented
      label={t('plan.cycle')}
      isLabelShown
      name="cycle"
      value={cycle}
      onChange={onChange}
      options={[
        { value: 'annual', label: annual },
        { value: 'monthly', label: t('plan.monthly') },
      ]}
    />
  );
}
