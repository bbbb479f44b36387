import { useCallback, useState } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import { type ComposerState, composerState } from '../composer/composer-state.ts';
import type { Draft } from '../composer/draft.ts';
import { type Messages, useMessages } from '../messages/use-messages.ts';
import { type Branch, useBranch } from './use-branch.ts';
import { type ChatSend, useChatSend } from './use-chat-send.ts';
import { type Announcement, useEndings } from './use-endings.ts';
import { type Outgoing, useOutgoing } from './use-outgoing.ts';
import { usePause } from './use-pause.ts';
import { type QueueState, useQueue } from './use-queue.ts';

export interface ConversationInput {
  userId: string;
  id: string;
  isNew: boolean;
  /** A new one is to be kept out of list and search. */
  temporary: boolean;
  /** The model that answers; undefined while not known. */
  model: CatalogueModel | undefined;
  models: readonly CatalogueModel[];
  credits: number;
  draft: Draft;
}

export interface ConversationState {
  loaded: Messages;
  branch: Branch;
  /** The message on its way to the server; it is the last of its `turns`. */
  pending: Message | null;
  /** The answer being written on screen. */
  running: Message | undefined;
  /** What the composer can do now. */
  state: ComposerState;
  /** Sending, and what keeps a message from going out. */
  sending: ChatSend;
  /** What the message being written carries, and what it may cost. */
  outgoing: Outgoing;
  /** The messages that wait for the running answer. */
  queue: QueueState;
  /** Said to those who do not see the screen, about the answer that ended last. */
  announcement: Announcement;
  /** Stops the running answer; false when that did not work. */
  stop(): Promise<boolean>;
}

/** One conversation on screen: its messages, the branch shown, and everything that can be done in it. */
export function useConversation(input: ConversationInput): ConversationState {
  const { userId, id, isNew, temporary, model, models, credits, draft } = input;
  const [pending, setPending] = useState<Message | null>(null);
  const loaded = useMessages(id, isNew);
  const { messages } = loaded.known;
  const branch = useBranch(loaded, pending);
  const announcement = useEndings(messages, pending);
  const running = branch.turns.find(
    ({ message }) => message.status === 'running' && message !== pending,
  )?.message;
  const stop = useStop(running?.id);
  const { pause, begin: beginPause } = usePause(userId);
  const isPaused = pause !== null;
  const state = composerState({ pending, running, loaded: loaded.state, model, isPaused });
  const queue = useQueue({
    userId,
    conversationId: id,
    messages,
    isLoaded: loaded.state === 'ready',
    underWay: pending ?? running ?? null,
    models,
    credits,
    isPaused,
    beginPause,
    isNew,
    draft,
  });
  const outgoing = useOutgoing({ conversationId: id, turns: branch.turns, pending, model, draft });
  const sending = useChatSend({
    conversationId: id,
    messages,
    temporary: isNew && temporary,
    model,
    credits,
    draft,
    outgoing,
    onQuoteChanged: outgoing.onQuoteChanged,
    state,
    queue,
    pause,
    beginPause,
    toEnd: branch.toEnd,
    release: branch.release,
    setPending,
  });
  return { loaded, branch, pending, running, state, sending, outgoing, queue, announcement, stop };
}

/** Asks the server to stop an answer; its end arrives with the answer's events. */
function useStop(messageId: string | undefined) {
  const { t } = useTranslation('common');
  return useCallback(async () => {
    if (!messageId) return false;
    try {
      await callApi(`/api/messages/${messageId}/stop`, { method: 'POST' });
      return true;
    } catch {
      showAlert(t('chat.stopFailed'));
      return false;
    }
  }, [messageId, t]);
}
