import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import { refreshUnlessLive } from '#web/features/live/live-state.ts';
import type { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import type { Draft } from './draft.ts';
import { endText, refusalText } from './failure-text.ts';
import { stopMessage } from './send-message.ts';
import { type Choices, parentKey, type Turn, threadOf } from './thread.ts';
import { type Messages, useMessages } from './use-messages.ts';
import { useSend } from './use-send.ts';

export interface ConversationInput {
  id: string;
  isNew: boolean;
  /** The model that answers; undefined while not known. */
  model: CatalogueModel | undefined;
  credits: number;
  draft: Draft;
}

export interface ConversationActions {
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
  retry(message: Message): void;
  choose(message: Message): void;
  stop(): void;
  end(message: Message): void;
}

/** One conversation on screen: its messages, the branch shown, and everything that can be done in it. */
export function useConversation({
  id,
  isNew,
  model,
  credits,
  draft,
}: ConversationInput): ConversationActions {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const loaded = useMessages(id, isNew);
  const [choices, setChoices] = useState<Choices>({});
  const [announcement, setAnnouncement] = useState('');

  const onSent = useCallback(
    (content: string) => {
      if (draft.read().trim() === content) draft.write('');
      refreshUnlessLive(client);
    },
    [client, draft],
  );
  const onRefused = useCallback(
    (error: ApiError) => {
      showAlert(refusalText(t, error).alert);
      void client.invalidateQueries({ queryKey: ['me'] });
      if (error.code === 'model_not_allowed') void client.invalidateQueries({ queryKey: ['catalogue'] });
    },
    [client, t],
  );
  const { pending, problem, send: sendUnsent } = useSend(id, loaded.messages, { onSent, onRefused });

  const shown = useMemo(
    () =>
      pending && !loaded.messages.some((one) => one.id === pending.id)
        ? [...loaded.messages, pending]
        : loaded.messages,
    [loaded.messages, pending],
  );
  const turns = useMemo(() => threadOf(shown, choices), [shown, choices]);
  const last = turns.at(-1)?.message;

  const ask = useCallback(
    (content: string, parentId: string | null) => {
      const cost = model?.cost ?? null;
      if (!model || cost === null) return;
      if (credits < cost)
        return showAlert(t('errors.insufficient_credits', { needed: cost, balance: credits }));
      setChoices((before) => ({ ...before, [parentId ?? '']: '' }));
      void sendUnsent({ content, parentId, model: model.id });
    },
    [model, credits, sendUnsent, t],
  );
  const lastId = last?.id ?? null;
  const runningId = turns.find(({ message }) => message.status === 'running')?.message.id;
  return {
    loaded,
    turns,
    pending,
    running: shown.find((message) => message.id === runningId && message.id !== pending?.id),
    problem: problem && refusalText(t, problem).note,
    announcement,
    send: useCallback((text: string) => ask(text, lastId), [ask, lastId]),
    retry: useCallback((message: Message) => ask(message.content, message.parentId), [ask]),
    choose: useCallback(
      (message: Message) => setChoices((before) => ({ ...before, [parentKey(message)]: message.id })),
      [],
    ),
    stop: useCallback(() => {
      if (!runningId) return;
      stopMessage(runningId).catch(() => showAlert(t('chat.stopFailed')));
    }, [runningId, t]),
    end: useCallback(
      (message: Message) => {
        refreshUnlessLive(client);
        if (message.status === 'failed' || message.status === 'interrupted')
          showAlert(endText(t, message).alert);
        else setAnnouncement(t('chat.answered', { credits: message.creditsUsed }));
      },
      [client, t],
    ),
  };
}
