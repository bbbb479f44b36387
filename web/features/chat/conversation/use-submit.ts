import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { usePromptLimit } from '#web/features/catalogue/use-prompt-limit.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { showAlert } from '#web/ui/toast-store.ts';
import type { ComposerState } from '../composer/composer-state.ts';
import type { Draft } from '../composer/draft.ts';
import { type AttachmentsSummary, lacksVision } from '../files/use-attachments.ts';
import { MAX_QUEUED, MAX_QUEUES, type QueueRefusal } from '../queue/queue-store.ts';
import { priceKey } from '../quote/extra-cost.ts';
import type { Extras, ShownQuote } from '../quote/use-quote.ts';
import type { QueueState } from './use-queue.ts';

/** Why a message does not wait, in words. */
const NOT_QUEUED: Record<QueueRefusal, [text: TextKey, params?: { limit: number }]> = {
  queueFull: ['chat.queueFull', { limit: MAX_QUEUED }],
  queuesFull: ['chat.queuesFull', { limit: MAX_QUEUES }],
  queueNotKept: ['chat.queueNotKept'],
};

interface SubmitInput {
  state: ComposerState;
  draft: Draft;
  queue: Pick<QueueState, 'isMoving' | 'add'>;
  model: CatalogueModel | undefined;
  credits: number;
  files: AttachmentsSummary;
  extras: Extras;
  quote: ShownQuote;
}

/**
 * Sends the draft when it can be sent, or has it wait behind what is being answered. What was asked for while something still loads,
 * a file is on its way or the price is not known waits until that is here, and is asked for once more where the price is then higher
 * than what stood there.
 */
export function useSubmit(
  { state, draft, queue, model, credits, files, extras, quote }: SubmitInput,
  send: (content: string) => Promise<void>,
) {
  const { t } = useTranslation('common');
  const limit = usePromptLimit();
  /** `seen`: the most that stood there when it was asked for; null before the models are known. */
  const [awaited, setAwaited] = useState<{ seen: number | null } | null>(null);
  const addToQueue = useCallback(
    (content: string) => {
      if (!model || model.cost === null) return;
      if (content.length > limit) return showAlert(t('errors.prompt_too_long', { limit }));
      const cost = quote.max ?? model.cost;
      if (credits < cost)
        return showAlert(t('errors.insufficient_credits', { needed: cost, balance: credits }));
      const { options, files: named = [] } = extras;
      const kept = draft.attachments.kept().filter(({ id }) => named.includes(id));
      const carried = { ...(kept.length > 0 ? { files: kept } : {}), ...(options ? { options } : {}) };
      const refusal = queue.add({ content, model: model.id, cost, modelCost: model.cost, ...carried });
      if (refusal !== null) return showAlert(t(...NOT_QUEUED[refusal]));
      draft.attachments.takeOffSent(kept.map(({ id }) => id));
      draft.write('');
    },
    [model, credits, queue, draft, t, limit, extras, quote.max],
  );
  const isRefused = files.state === 'failed' || lacksVision(model, files);
  const isPriced = quote.error !== null || !quote.isPending;
  const mustWait = state === 'loading' || files.state === 'busy' || (!isRefused && !isPriced);
  const seen = quote.max ?? model?.cost ?? null;
  const submit = useCallback(() => {
    const content = draft.read().trim();
    setAwaited(mustWait && content !== '' ? { seen } : null);
    if (content === '' || mustWait || quote.max === null || isRefused) return;
    if (state === 'running' || state === 'sending' || (state === 'ready' && queue.isMoving))
      addToQueue(content);
    else if (state === 'ready') void send(content);
  }, [state, draft, queue, send, addToQueue, mustWait, isRefused, quote.max, seen]);
  const submitAwaited = useEffectEvent((before: number | null) => {
    if (quote.max === null || quote.max <= (before ?? model?.cost ?? 0)) return submit();
    setAwaited(null);
    showAlert(t('quote.grown', { price: t(priceKey(quote.lines), { credits: quote.max }) }));
  });
  useEffect(() => {
    if (awaited && !mustWait) submitAwaited(awaited.seen);
  }, [awaited, mustWait]);
  const cancelSubmit = useCallback(() => setAwaited(null), []);
  return { isAwaited: awaited !== null, submit, cancelSubmit };
}
