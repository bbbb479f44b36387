import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Act, ActOutcome } from '#contract/admin/acts.ts';
import type { Confirmed } from '#web/features/accounts/confirmation/confirmation-dismissed.ts';
import { callApi } from '#web/lib/api.ts';
import { ADMIN_KEY } from '../show/admin-query.ts';
import type { ActDraft } from './act-draft.ts';
import { isRefusal, useSendingText, wasLookedAt } from './lost-answer.ts';

/** Sends an act, and says what became of it. `onUnsure`: no answer came, or one is awaited; `false`: it was refused. */
export function useActSending(confirmed: Confirmed, onUnsure: (isUnsure: boolean) => void) {
  const sendingText = useSendingText();
  const queryClient = useQueryClient();
  const isSending = useRef(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<ActOutcome['state'] | null>(null);

  const send = async ({ id, reason, isUnsure }: ActDraft, act: Act) => {
    if (isSending.current) return;
    isSending.current = true;
    setBusy(true);
    setProblem(null);
    onUnsure(true);
    try {
      const body = { id, reason: reason.trim(), act };
      const { state } = await confirmed(() =>
        callApi<ActOutcome>('/api/admin/acts', { method: 'POST', body }),
      );
      setOutcome(state);
    } catch (error) {
      onUnsure(!isRefusal(error) || (isUnsure && !wasLookedAt(error)));
      setProblem(sendingText(error));
    }
    isSending.current = false;
    setBusy(false);
    await queryClient.invalidateQueries({ queryKey: ADMIN_KEY });
  };
  return { send, busy, problem, outcome };
}
