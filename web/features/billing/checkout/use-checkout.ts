import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { PlanKey } from '#contract/billing.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import { createCheckout } from './create-checkout.ts';
import { useAskToSignIn } from './use-ask-to-sign-in.ts';
import type { PurchaseChoice } from './use-offer.ts';

/** A browser that has not left by then was kept from it: its user pressed Stop. */
const LEAVING_MS = 20_000;

interface CheckoutAct {
  /** The checkout is being created, or the browser is on its way to it. */
  creating: boolean;
  /** Creates a checkout and leads to it; who is no longer signed in is led to the login. `chargeNow`: a lower plan is paid today. */
  buy(terms?: { chargeNow: boolean }): Promise<void>;
}

/** The act of buying a plan as chosen. One at a time: while one is on its way, nothing happens. */
export function useCheckout(plan: PlanKey, choice: Pick<PurchaseChoice, 'cycle' | 'provider'>): CheckoutAct {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const askToSignIn = useAskToSignIn(choice);
  const [creating, setCreating] = useState(false);
  const busy = useRef(false);
  const goIdle = () => {
    busy.current = false;
    setCreating(false);
  };
  useReturnedPage(creating, goIdle);

  const buy = async (terms = {}) => {
    if (busy.current) return;
    busy.current = true;
    setCreating(true);
    const { cycle, provider } = choice;
    const outcome = await createCheckout(t, client, { provider, planKey: plan, cycle, ...terms });
    if (outcome === 'leaving') return void setTimeout(goIdle, LEAVING_MS);
    goIdle();
    if (outcome === 'signed-out') await askToSignIn(plan);
    else showAlert(outcome.problem);
  };
  return { creating, buy };
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
