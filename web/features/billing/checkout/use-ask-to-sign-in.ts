import { useLocation, useNavigate } from 'react-router';
import type { PlanKey } from '#contract/billing.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { showAlert } from '#web/ui/toast-store.ts';
import type { PurchaseChoice } from './use-offer.ts';

/** Gives the act of leading who wants a plan to the login, from where the way goes back to the same choice. */
export function useAskToSignIn({
  cycle,
  provider,
}: Pick<PurchaseChoice, 'cycle' | 'provider'>): (plan: PlanKey) => Promise<void> {
  const { t } = useTranslation('common');
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const pathTo = useLocalPath();
  return async (plan) => {
    showAlert(t('pricing.signInFirst'));
    const next = `${pathname}?${new URLSearchParams({ plan, cycle, provider })}`;
    await navigate(`${pathTo('login')}?${new URLSearchParams({ next })}`);
  };
}
