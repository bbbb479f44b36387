import { PROVIDER_NAME, type Provider } from '#contract/choices.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Segmented } from '#web/ui/segmented.tsx';

interface ProviderChoiceProps {
  /** Those that can be paid with. */
  providers: readonly Provider[];
  provider: Provider;
  onChange: (provider: Provider) => void;
}

/** Which payment provider takes the payment. */
export function ProviderChoice({ providers, provider, onChange }: ProviderChoiceProps) {
  const { t } = useTranslation('common');
  if (providers.length < 2) return null;
  return (
    <Segmented
      label={t('pricing.provider')}
      isLabelShown
      name="provider"
      value={provider}
      onChange={onChange}
      options={providers.map((value) => ({ value, label: PROVIDER_NAME[value] }))}
    />
  );
}

/** Where one pays, or that nothing can be paid here. */
export function PaymentNote({ providers, provider }: { providers: readonly Provider[]; provider: Provider }) {
  const { t } = useTranslation('common');
  if (providers.length === 0) return <p className="max-w-prose">{t('pricing.noProvider')}</p>;
  return (
    <p className="text-soft text-sm">{t('pricing.providerNote', { provider: PROVIDER_NAME[provider] })}</p>
  );
}
