import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { PROMPT_LIMIT } from '#contract/limits.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import type { ComposerState } from '../composer/composer-state.ts';
import type { Draft } from '../composer/draft.ts';
import { MAX_QUEUED } from '../queue/queue-store.ts';
import type { QueueState } from './use-queue.ts';

interface SubmitInput {
  state: ComposerState;
  draft: Draft;
  queue: Pick<QueueState, 'isMoving' | 'add'>;
  model: CatalogueModel | undefined;
  credits: number;
}

/**
 * Sends the draft when it can be sent, or has it wait behind what is being answered. What was asked for while something still loads
 * waits until that is here.
 */
export function useSubmit(
  { state, draft, queue, model, credits }: SubmitInput,
  send: (content: string) => Promise<void>,
) {
  const { t } = useTranslation('common');
  const [isAwaited, setAwaited] = useState(false);
  const addToQueue = useCallback(
    (content: string) => {
      if (!model || model.cost === null) return;
      if (content.length > PROMPT_LIMIT)
        return showAlert(t('errors.prompt_too_long', { limit: PROMPT_LIMIT }));
      if (credits < model.cost)
        return showAlert(t('errors.insufficient_credits', { needed: model.cost, balance: credits }));
      if (queue.add({ content, model: model.id, cost: model.cost })) draft.write('');
      else showAlert(t('chat.queueFull', { limit: MAX_QUEUED }));
    },
    [model, credits, queue, draft, t],
  );
  const submit = useCallback(() => {
    const content = draft.read().trim();
    setAwaited(state === 'loading' && content !== '');
    if (content === '') return;
    if (state === 'running' || state === 'sending' || (state === 'ready' && queue.isMoving))
      addToQueue(content);
    else if (state === 'ready') void send(content);
  }, [state, draft, queue, send, addToQueue]);
  const submitNow = useEffectEvent(submit);
  useEffect(() => {
    if (isAwaited && state !== 'loading') submitNow();
  }, [isAwaited, state]);
  const cancelSubmit = useCallback(() => setAwaited(false), []);
  return { isAwaited, submit, cancelSubmit };
}
