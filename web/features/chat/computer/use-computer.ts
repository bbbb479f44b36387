import { useCallback, useMemo, useState } from 'react';
import type { ComputerAct, ComputerInput, ComputerState } from '#contract/message/computer.ts';
import { errorKey } from '#i18n/error-key.ts';
import { ApiError, type ApiErrorCode, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey, Translate } from '#web/lib/translate.ts';
import { showAlert } from '#web/ui/toast-store.ts';
import { InputQueue, type InputRefusal, MAX_PASTED_TEXT } from './input-queue.ts';
import type { LiveScreen } from './use-live-screen.ts';

/** Failures of which nothing can be said but that it did not work. */
const VAGUE: ReadonlySet<ApiErrorCode> = new Set(['network', 'internal', 'unavailable', 'invalid_request']);

const NOT_SENT = {
  text_too_long: 'computer.pastedTooLong',
  too_many_waiting: 'computer.inputsWait',
} as const satisfies Record<InputRefusal, TextKey>;

export interface Computer {
  /** Does something with the run; false when it did not work, which was shown. */
  act(act: ComputerAct): Promise<boolean>;
  /** An act is on its way. */
  isBusy: boolean;
  /** Stops the answer. */
  stop(): void;
  /** What a reader who took over does on the page; sent one after the other. */
  input(input: ComputerInput): void;
}

/** The acts of a reader on a run. What `beginAct` returns receives the state that the server answers with. */
export function useComputer(messageId: string, beginAct: LiveScreen['beginAct']): Computer {
  const { t } = useTranslation('common');
  const [isBusy, setBusy] = useState(false);
  const post = useCallback(
    (body: ComputerAct) =>
      callApi<ComputerState>(`/api/messages/${messageId}/computer`, { method: 'POST', body }),
    [messageId],
  );
  const queue = useMemo(
    () =>
      new InputQueue(
        async (input) => void (await post({ act: 'input', input })),
        (error) => showAlert(refusalText(t, error)),
        (reason) => showAlert(t(NOT_SENT[reason], { limit: MAX_PASTED_TEXT })),
      ),
    [post, t],
  );
  const act = useCallback(
    async (body: ComputerAct) => {
      setBusy(true);
      try {
        // What was typed before still belongs to the reader.
        if (body.act === 'handback') await queue.whenSent();
        const take = beginAct();
        take(await post(body));
        return true;
      } catch (error) {
        showAlert(refusalText(t, error));
        return false;
      } finally {
        setBusy(false);
      }
    },
    [post, queue, t, beginAct],
  );
  const stop = useCallback(() => {
    callApi(`/api/messages/${messageId}/stop`, { method: 'POST' }).catch(() =>
      showAlert(t('chat.stopFailed')),
    );
  }, [messageId, t]);
  return { act, isBusy, stop, input: queue.add };
}

/** Why an act was refused, in the words of its code. */
export function refusalText(t: Translate, error: unknown): string {
  if (!(error instanceof ApiError) || error.code === 'network' || VAGUE.has(error.code))
    return t('computer.failed');
  return t(errorKey(error.code, error.params), error.params);
}
