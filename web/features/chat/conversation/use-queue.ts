import { useCallback, useMemo } from 'react';
import { v7 as newId } from 'uuid';
import type { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import { type Draft, giveToNewDraft } from '../composer/draft.ts';
import { joinTexts } from '../composer/draft-storage.ts';
import { noteDoubtful } from '../messages/doubtful-messages.ts';
import { mayHaveArrived } from '../messages/failure-text.ts';
import type { Verdict } from '../queue/judge-queue.ts';
import {
  addQueued,
  beginSendingQueued,
  deleteQueued,
  endSendingQueued,
  type QueuedMessage,
  type QueueRefusal,
  useQueues,
} from '../queue/queue-store.ts';
import { asSent, type SenderInput, useQueueSender } from './use-queue-sender.ts';

interface QueueInput extends Omit<SenderInput, 'giveBack'> {
  isNew: boolean;
  draft: Draft;
}

type NewlyQueued = Omit<QueuedMessage, 'id' | 'at'>;

export interface QueueState {
  /** The messages that wait in the conversation on screen, but for one that is on its way. */
  items: readonly QueuedMessage[];
  /** What becomes of the first of them. */
  verdict: Verdict;
  /** Why the server did not take it, or could not be reached. */
  refusal: ApiError | null;
  /** There are some, and the first will go by itself: what is written now waits behind them. */
  isMoving: boolean;
  /** Has a message wait; null once it does, else why not. */
  add(message: NewlyQueued): QueueRefusal | null;
  /** Takes a message off and returns it; null when it is gone, or on its way. */
  withdraw(id: string): QueuedMessage | null;
  /** Keeps every tab from taking a message off while it is being sent, until `letGo`; false when it is gone. */
  hold(id: string): boolean;
  letGo(id: string): void;
  /** Sends the first one again as it is, after the server could not be reached. */
  retry(): void;
}

/** The messages that wait in the conversation on screen; sends those of all conversations of this browser when their time comes. */
export function useQueue(input: QueueInput): QueueState {
  const { userId, conversationId, underWay, isNew, draft } = input;
  const queues = useQueues(userId);
  const giveBack = useGiveBack(userId, isNew, draft);
  const sender = useQueueSender({ ...input, giveBack }, queues);
  const { busy, forgive, refusals } = sender;
  const own = queues[conversationId];
  const first = own?.items[0];
  const verdict = own ? sender.judge(conversationId, own) : 'wait';
  const after = underWay?.id ?? own?.after ?? null;
  const add = useCallback(
    (message: NewlyQueued): QueueRefusal | null =>
      after === null
        ? 'queuesFull'
        : addQueued(userId, conversationId, after, { ...message, id: newId(), at: Date.now() }),
    [userId, conversationId, after],
  );
  const parentId = own?.after;
  const withdraw = useCallback(
    (id: string) => {
      const item = busy.has(id) ? null : deleteQueued(userId, conversationId, id);
      const refusal = refusals.get(id);
      if (item && parentId !== undefined && refusal && mayHaveArrived(refusal))
        noteDoubtful(asSent(conversationId, parentId, item), false);
      return item;
    },
    [userId, conversationId, busy, refusals, parentId],
  );
  const hold = useCallback(
    (id: string) => beginSendingQueued(userId, conversationId, id),
    [userId, conversationId],
  );
  const letGo = useCallback(
    (id: string) => endSendingQueued(userId, conversationId, id),
    [userId, conversationId],
  );
  const firstId = first?.id ?? null;
  const retry = useCallback(() => firstId !== null && forgive(firstId), [firstId, forgive]);
  const waiting = own?.items ?? NOTHING;
  const items = firstId !== null && firstId === underWay?.id ? waiting.slice(1) : waiting;
  const refusal = (firstId !== null && refusals.get(firstId)) || null;
  const isMoving = items.length > 0 && (verdict === 'wait' || verdict === 'send');
  return useMemo(
    () => ({ items, verdict, refusal, isMoving, add, withdraw, hold, letGo, retry }),
    [items, verdict, refusal, isMoving, add, withdraw, hold, letGo, retry],
  );
}

const NOTHING: readonly QueuedMessage[] = [];

/** Puts messages that can never be sent into the composer of a new conversation, and says so. */
function useGiveBack(userId: string, isNew: boolean, draft: Draft) {
  const { t } = useTranslation('common');
  return useCallback(
    (items: readonly QueuedMessage[]) => {
      if (items.length === 0) return;
      const text = items.map(({ content }) => content).reduce(joinTexts);
      const files = items.flatMap((item) => item.files ?? []);
      if (isNew) {
        draft.putBefore(text);
        draft.attachments.restore(files);
      } else giveToNewDraft(userId, { text, files });
      showAlert(t('chat.queueGivenBack'));
    },
    [userId, isNew, draft, t],
  );
}
