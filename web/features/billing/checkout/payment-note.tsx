import type { Provider } from '#contract/billing.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PROVIDER_NAME } from '../standing/provider-name.ts';

/** Where one pays, or that nothing can be paid here. */
export function PaymentNote({ providers, provider }: { providers: readonly Provider[]; provider: Provider }) {
  const { t } = useTranslation('common');
  if (providers.length === 0) return <p className="max-w-prose">{t('pricing.noProvider')}</p>;
  return (
    <p className="text-soft text-sm">{t('pricing.providerNote', { provider: PROVIDER_NAME[provider] })}</p>
  );
}
