import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Act } from '#contract/admin/acts.ts';
import type { UserScreen } from '#contract/admin/screens.ts';
import { callApi } from '#web/lib/api.ts';
import { ADMIN_KEY, screenQuery } from '../show/admin-query.ts';
import { useActs } from './acts-provider.tsx';
import { useSendingText } from './lost-answer.ts';

type Decision = 'agree' | 'refuse';

/** The currency of the charge that an act is about, which is not in the act. */
export function useChargeCurrency(act: Act): string | undefined {
  const isRefund = act.act === 'refund';
  const userId = isRefund ? act.userId : '';
  const { data } = useQuery({ ...screenQuery<UserScreen>(`users/${userId}`), enabled: isRefund });
  const charge = data?.charges.find(({ paymentKey }) => isRefund && paymentKey === act.paymentKey);
  return charge?.paid?.currency;
}

/** Sends what the operator decides, once. The same decision again is answered as the first one was. */
export function useDecision(id: string) {
  const { confirmed } = useActs();
  const sendingText = useSendingText();
  const queryClient = useQueryClient();
  const isSending = useRef(false);
  const [busy, setBusy] = useState<Decision | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<Decision | null>(null);
  const decide = async (decision: Decision) => {
    if (isSending.current) return;
    isSending.current = true;
    setBusy(decision);
    setProblem(null);
    try {
      await confirmed(() => callApi(`/api/admin/proposals/${id}`, { method: 'POST', body: { decision } }));
      setOutcome(decision);
    } catch (error) {
      setProblem(sendingText(error));
    }
    isSending.current = false;
    setBusy(null);
    await queryClient.invalidateQueries({ queryKey: ADMIN_KEY });
  };
  return { decide, busy, problem, outcome };
}
