import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import { refreshUnlessLive } from '#web/features/live/live-state.ts';
import type { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import { refusalText } from '../messages/failure-text.ts';
import type { ConversationInput } from './use-conversation.ts';
import { useSend } from './use-send.ts';

export interface Asking {
  /** The message on its way to the server. */
  pending: Message | null;
  /** What keeps the last message from going out, in words. */
  problem: string | null;
  /** Sends a question beneath a message, if the reader has the credits; else says what is missing. True when the server has it. */
  ask(question: Question): Promise<boolean>;
}

export interface Question {
  content: string;
  parentId: string | null;
  model: CatalogueModel;
}

/** Sending with its words: refusals are alerts, and the draft is given up when the server has the message. */
export function useAsking(
  { id, isNew, temporary, credits, draft }: ConversationInput,
  messages: readonly Message[],
): Asking {
  const { t } = useTranslation('common');
  const client = useQueryClient();
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
  const { pending, problem, send } = useSend(id, messages, { onSent, onRefused });
  const ask = useCallback(
    async ({ content, parentId, model }: Question) => {
      const { cost } = model;
      if (cost === null) return false;
      if (credits < cost) {
        showAlert(t('errors.insufficient_credits', { needed: cost, balance: credits }));
        return false;
      }
      const kept = isNew && temporary ? { temporary } : {};
      return send({ content, parentId, model: model.id, ...kept });
    },
    [credits, isNew, temporary, send, t],
  );
  return { pending, problem: problem && refusalText(t, problem).note, ask };
}
