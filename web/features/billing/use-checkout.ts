import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Checkout, CheckoutAnswer, PlanKey } from '#contract/billing.ts';
import { sessionQuery } from '#web/features/accounts/session-query.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { Translate } from '#web/lib/translate.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { showAlert } from '#web/ui/toast-store.ts';
import { billingQuery } from './billing-query.ts';

/** A browser that has not left by then was kept from it: its user pressed Stop. */
const LEAVING_MS = 20_000;

export interface CheckoutAct {
  /** The plan whose checkout is being created, or to which the browser is on its way. */
  creating: PlanKey | null;
  /** Creates a checkout and leads to it; who is not signed in is led to the login and comes back to the same choice. */
  buy(plan: PlanKey): Promise<void>;
}

/** The act of buying by a cycle and a provider. One at a time: while one is on its way, nothing happens. */
export function useCheckout(choice: Pick<Checkout, 'cycle' | 'provider'>): CheckoutAct {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const askToSignIn = useAskToSignIn(choice);
  const [creating, setCreating] = useState<PlanKey | null>(null);
  const busy = useRef(false);
  const goIdle = () => {
    busy.current = false;
    setCreating(null);
  };
  useReturnedPage(creating !== null, goIdle);

  const buy = async (planKey: PlanKey) => {
    if (busy.current) return;
    if (client.getQueryData(sessionQuery.queryKey) === null) return askToSignIn(planKey);
    busy.current = true;
    setCreating(planKey);
    try {
      const body: Checkout = { ...choice, planKey };
      const { redirectUrl } = await callApi<CheckoutAnswer>('/api/createCheckout', { method: 'POST', body });
      window.location.assign(redirectUrl);
      setTimeout(goIdle, LEAVING_MS);
    } catch (error) {
      goIdle();
      if (error instanceof ApiError && error.code === 'unauthenticated') return askToSignIn(planKey);
      showAlert(t('pricing.checkoutFailed', { message: failureText(t, error) }));
      void client.invalidateQueries({ queryKey: billingQuery.queryKey });
    }
  };
  return { creating, buy };
}

function failureText(t: Translate, error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  return error.code === 'network' ? t('pricing.unreachable') : t(`errors.${error.code}`, error.params);
}

function useAskToSignIn(choice: Pick<Checkout, 'cycle' | 'provider'>) {
  const { t } = useTranslation('common');
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const pathTo = useLocalPath();
  return async (plan: PlanKey) => {
    showAlert(t('pricing.signInFirst'));
    const next = `${pathname}?${new URLSearchParams({ plan, ...choice })}`;
    await navigate(`${pathTo('login')}?${new URLSearchParams({ next })}`);
  };
}

/** A page that the Back button brings back as it was left must not go on waiting. */
function useReturnedPage(waiting: boolean, onReturn: () => void): void {
  useEffect(() => {
    if (!waiting) return;
    const look = ({ persisted }: PageTransitionEvent) => {
      if (persisted) onReturn();
    };
    window.addEventListener('pageshow', look);
    return () => window.removeEventListener('pageshow', look);
  });
}
