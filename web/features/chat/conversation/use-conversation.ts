import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import { refreshUnlessLive } from '#web/features/live/live-state.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import type { Draft } from '../composer/draft.ts';
import { endText } from '../messages/failure-text.ts';
import { type Choices, choicesTo, parentKey, type Turn, threadOf } from '../messages/thread.ts';
import { type Messages, useMessages } from '../messages/use-messages.ts';
import type { TurnActions } from '../turn/turn-actions.ts';
import { stopMessage } from './send-message.ts';
import { type Question, useAsking } from './use-asking.ts';

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
  turns: readonly Turn[];
  /** The message on its way to the server; it is the last of `turns`. */
  pending: Message | null;
  /** The answer being written on screen. */
  running: Message | undefined;
  /** What keeps the last message from going out, in words. */
  problem: string | null;
  /** Said to those who do not see the screen. */
  announcement: string;
  send(text: string): void;
  /** Asks beside a message: the same question again, or another one; true when the server has it. */
  askBeside: TurnActions['askBeside'];
  choose(message: Message): void;
  /** Shows the branch that a message is in. */
  reveal(messageId: string): void;
  /** Stops the running answer; false when that did not work. */
  stop(): Promise<boolean>;
}

/** One conversation on screen: its messages, the branch shown, and everything that can be done in it. */
export function useConversation(input: ConversationInput): ConversationState {
  const loaded = useMessages(input.id, input.isNew);
  const { pending, problem, ask } = useAsking(input, loaded.messages);
  const { turns, choose, reveal, release } = useBranch(loaded.messages, pending);
  const announcement = useEndings(loaded.messages, pending);
  const running = turns.find(({ message }) => message.status === 'running' && message !== pending)?.message;
  const stop = useStop(running?.id);
  const lastId = turns.at(-1)?.message.id ?? null;
  const { model } = input;

  const askUnder = useCallback(
    async (question: Question) => {
      const putBack = release(question.parentId);
      const sent = await ask(question);
      if (!sent) putBack();
      return sent;
    },
    [ask, release],
  );
  const send = useCallback(
    (content: string) => {
      if (model) void askUnder({ content, parentId: lastId, model });
    },
    [askUnder, lastId, model],
  );
  const askBeside: TurnActions['askBeside'] = useCallback(
    (message, asked) =>
      askUnder({ content: asked.content ?? message.content, parentId: message.parentId, model: asked.model }),
    [askUnder],
  );
  return { loaded, turns, pending, running, problem, announcement, send, askBeside, choose, reveal, stop };
}

/** The branch on screen, the message on its way included, and the reader's choices in it. */
function useBranch(messages: readonly Message[], pending: Message | null) {
  const [choices, setChoices] = useState<Choices>({});
  const turns = useMemo(() => {
    const isKnown = !pending || messages.some(({ id }) => id === pending.id);
    return threadOf(isKnown ? messages : [...messages, pending], choices);
  }, [messages, pending, choices]);
  const choose = useCallback(
    (message: Message) => setChoices((before) => ({ ...before, [parentKey(message)]: message.id })),
    [],
  );
  const reveal = useCallback(
    (messageId: string) => setChoices((before) => ({ ...before, ...choicesTo(messages, messageId) })),
    [messages],
  );
  const release = useCallback((parentId: string | null) => {
    const key = parentId ?? '';
    let chosen: string | undefined;
    setChoices(({ [key]: before, ...others }) => {
      chosen = before;
      return others;
    });
    return () => setChoices((now) => (chosen === undefined ? now : { ...now, [key]: chosen }));
  }, []);
  return { turns, choose, reveal, release };
}

/**
 * Tells the end of every answer that was seen running here, however its news came: a failure as an alert, any other in the words
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

function useStop(messageId: string | undefined) {
  const { t } = useTranslation('common');
  return useCallback(async () => {
    if (!messageId) return false;
    try {
      await stopMessage(messageId);
      return true;
    } catch {
      showAlert(t('chat.stopFailed'));
      return false;
    }
  }, [messageId, t]);
}
