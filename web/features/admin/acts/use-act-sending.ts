import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Act, ActOutcome } from '#contract/admin/acts.ts';
import {
  ConfirmationDismissed,
  type Confirmed,
} from '#web/features/accounts/confirmation/confirmation-dismissed.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { ADMIN_KEY } from '../show/admin-query.ts';
import { useErrorText } from '../show/use-error-text.ts';
import type { ActDraft } from './act-draft.ts';

/** Sends an act, and says what became of it. `onUnsure`: no answer came, or one is awaited; `false`: it was refused. */
export function useActSending(confirmed: Confirmed, onUnsure: (isUnsure: boolean) => void) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const isSending = useRef(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<ActOutcome['state'] | null>(null);

  const textOf = (error: unknown) => {
    if (error instanceof ConfirmationDismissed) return null;
    if (error instanceof ApiError && error.code === 'key_reused') return t('admin.acts.reused');
    return isAnswer(error) ? errorText(error) : t('admin.acts.unsure');
  };
  const send = async ({ id, reason }: ActDraft, act: Act) => {
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
      onUnsure(!isRefusal(error));
      setProblem(textOf(error));
    }
    isSending.current = false;
    setBusy(false);
    await queryClient.invalidateQueries({ queryKey: ADMIN_KEY });
  };
  return { send, busy, problem, outcome };
}

/** Nothing was done, for certain, nor is being done. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ConfirmationDismissed) return true;
  return isAnswer(error) && (error.status ?? 0) < 500 && error.code !== 'act_under_way';
}

/** The server knows what was wrong. */
function isAnswer(error: unknown): error is ApiError {
  const isBroken = !(error instanceof ApiError) || error.code === 'internal' || error.code === 'unavailable';
  return !isBroken && error.status !== null;
}
