import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import { refreshUnlessLive } from '#web/features/live/live-state.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import type { ComposerState } from '../composer/composer.tsx';
import type { Draft } from '../composer/draft.ts';
import { endText } from '../messages/failure-text.ts';
import { type Messages, useMessages } from '../messages/use-messages.ts';
import { type Branch, useBranch } from './use-branch.ts';
import { type ChatSend, useChatSend } from './use-chat-send.ts';
import { usePause } from './use-pause.ts';

export interface ConversationInput {
  id: string;
  isNew: boolean;
  /** A new one is to be kept out of list and search. */
  temporary: boolean;
  /** The model that answers; undefined while not known. */
  model: CatalogueModel | undefined;
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
  /** Said to those who do not see the screen. */
  announcement: string;
  /** Stops the running answer; false when that did not work. */
  stop(): Promise<boolean>;
}

/** One conversation on screen: its messages, the branch shown, and everything that can be done in it. */
export function useConversation(input: ConversationInput): ConversationState {
  const { id, isNew, temporary, model, credits, draft } = input;
  const [pending, setPending] = useState<Message | null>(null);
  const loaded = useMessages(id, isNew);
  const { messages } = loaded.known;
  const branch = useBranch(loaded, pending);
  const announcement = useEndings(messages, pending);
  const running = branch.turns.find(
    ({ message }) => message.status === 'running' && message !== pending,
  )?.message;
  const stop = useStop(running?.id);
  const { pause, begin: beginPause } = usePause();
  const state = composerState({ pending, running, loaded: loaded.state, model, paused: pause !== null });
  const sending = useChatSend({
    conversationId: id,
    messages,
    temporary: isNew && temporary,
    model,
    credits,
    draft,
    state,
    pause,
    beginPause,
    toEnd: branch.toEnd,
    release: branch.release,
    setPending,
  });
  return { loaded, branch, pending, running, state, sending, announcement, stop };
}

interface Known {
  pending: Message | null;
  running: Message | undefined;
  loaded: Messages['state'];
  model: CatalogueModel | undefined;
  paused: boolean;
}

function composerState({ pending, running, loaded, model, paused }: Known): ComposerState {
  if (pending) return 'sending';
  if (running) return 'running';
  if (paused) return 'paused';
  if (loaded === 'ready') return model ? 'ready' : 'loading';
  return loaded === 'loading' ? 'loading' : 'unavailable';
}

/**
 * Announces the end of every answer that was seen running here, however its news came: a failure as an alert, any other in the words
 * given back.
 */
function useEndings(messages: readonly Message[], pending: Message | null): string {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const [announcement, setAnnouncement] = useState('');
  const [open] = useState(() => new Set<string>());
  useEffect(() => {
    if (pending) open.add(pending.id);
    for (const message of messages) {
      if (message.status === 'running') open.add(message.id);
      else if (open.delete(message.id)) {
        refreshUnlessLive(client);
        const isCut = message.finishReason === 'content_filter' && message.response !== '';
        if (isCut) setAnnouncement(endText(t, message).alert);
        else if (message.status === 'failed' || message.status === 'interrupted')
          showAlert(endText(t, message).alert);
        else setAnnouncement(t('chat.answered', { credits: message.creditsUsed }));
      }
    }
  }, [messages, pending, open, client, t]);
  return announcement;
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
