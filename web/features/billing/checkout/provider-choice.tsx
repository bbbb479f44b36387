import type { Provider } from '#contract/billing.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { PROVIDER_NAME } from '../standing/provider-name.ts';

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
      name="provider"
      value={provider}
      onChange={onChange}
      options={providers.map((value) => ({ value, label: PROVIDER_NAME[value] }))}
    />
  );
}
