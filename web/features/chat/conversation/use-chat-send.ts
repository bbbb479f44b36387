import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { v7 as newId } from 'uuid';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message, SendMessage } from '#contract/chat.ts';
import { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import type { ComposerState } from '../composer/composer-state.ts';
import type { Draft } from '../composer/draft.ts';
import { type KnownMessages, messagesKey, NOTHING_KNOWN, putMessage } from '../messages/message-cache.ts';
import { hasArrived, postMessage } from './post-message.ts';
import { type Problem, useDelivery } from './use-delivery.ts';
import type { QueueState } from './use-queue.ts';
import { useSubmit } from './use-submit.ts';

interface SendInput {
  conversationId: string;
  messages: readonly Message[];
  /** A conversation that begins with this message is to be temporary. */
  temporary: boolean;
  /** The model that answers; undefined while not known. */
  model: CatalogueModel | undefined;
  credits: number;
  draft: Draft;
  state: ComposerState;
  /** What is sent while an answer runs waits there. */
  queue: Pick<QueueState, 'isMoving' | 'add' | 'items'>;
  /** Nothing can be sent for a while, and how that begins. */
  pause: { refusal: ApiError } | null;
  beginPause: (refusal: ApiError) => void;
  /** Shows the end of the branch and gives back its last message; undefined when it does not come. */
  toEnd: () => Promise<string | null | undefined>;
  /** Shows the newest answer under a message, whatever was chosen there; gives back how to undo that. */
  release: (parentId: string | null) => () => void;
  /** Shows the message on its way to the server, in the shape of a running one; null ends that. */
  setPending: (message: Message | null) => void;
}

export interface ChatSend {
  /** Enter and the button: sends the draft. Before everything is here, it goes out as soon as it is. */
  submit(): void;
  /** Takes back a `submit` that still waits. */
  cancelSubmit(): void;
  isAwaited: boolean;
  /** Asks under the last message, of the model in use. */
  send(text: string): Promise<void>;
  /** Asks beside a message: the same question again, or another one; true when the server has it. */
  askBeside(message: Message, asked: { content?: string; model: CatalogueModel }): Promise<boolean>;
  /** Sends the first message that waits, under the last one, at the price of now; it waits until the server has it. */
  sendQueued(model: CatalogueModel): Promise<void>;
  /** What keeps the last message from going out, in words. */
  problem: Problem;
}

interface Question {
  /** Chosen before; without it one is made here. */
  id?: string;
  content: string;
  parentId: string | null;
  model: CatalogueModel;
}

/**
 * Sends into a conversation, one message at a time: the whole way from Enter to the request. Each message has an id made here once;
 * one whose fate is unknown is sent again under the same id, so that it counts and costs once.
 */
export function useChatSend(input: SendInput): ChatSend {
  const { model, queue, toEnd } = input;
  const { ask, problem } = useAsk(input);
  const send = useCallback(
    async (content: string) => {
      const parentId = await toEnd();
      if (model && parentId !== undefined) await ask({ content, parentId, model });
    },
    [ask, toEnd, model],
  );
  const askBeside: ChatSend['askBeside'] = useCallback(
    (message, asked) =>
      ask({ content: asked.content ?? message.content, parentId: message.parentId, model: asked.model }),
    [ask],
  );
  const [first] = queue.items;
  const sendQueued = useCallback(
    async (asked: CatalogueModel) => {
      const parentId = await toEnd();
      if (first && parentId !== undefined)
        await ask({ id: first.id, content: first.content, parentId, model: asked });
    },
    [ask, toEnd, first],
  );
  return { ...useSubmit(input, send), send, askBeside, sendQueued, problem };
}

/** Sends one message, unless another is on its way; false when the server does not have it, which `problem` then says. */
function useAsk(input: SendInput) {
  const { conversationId, temporary, credits, release, setPending } = input;
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const { busy, doubtful, problem, begin, arrived, refused } = useDelivery(input);
  const ask = useCallback(
    async ({ id, content, parentId, model: asked }: Question): Promise<boolean> => {
      if (busy.current || asked.cost === null) return false;
      if (credits < asked.cost) {
        showAlert(t('errors.insufficient_credits', { needed: asked.cost, balance: credits }));
        return false;
      }
      const unsent = {
        conversationId,
        content,
        parentId,
        model: asked.id,
        maxCredits: asked.cost,
        ...(temporary ? { temporary } : {}),
      };
      const message = { ...unsent, id: id ?? idFor(unsent, doubtful.current) };
      begin(message);
      const putBack = release(parentId);
      setPending(asRunning(message));
      openConversation(client, conversationId);
      try {
        putMessage(client, await postMessage(message));
        arrived(message);
        return true;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const isHere = hasArrived(client, message, error);
        if (!isHere) putBack();
        if (isHere) arrived(message);
        else refused(error);
        return isHere;
      } finally {
        busy.current = false;
        setPending(null);
      }
    },
    [
      client,
      conversationId,
      temporary,
      credits,
      release,
      setPending,
      busy,
      doubtful,
      begin,
      arrived,
      refused,
      t,
    ],
  );
  return { ask, problem };
}

/** The id of the message whose fate is unknown where this is the same one again, else a new one. */
function idFor(unsent: Omit<SendMessage, 'id'>, doubtful: SendMessage | null): string {
  const isSame =
    doubtful !== null &&
    doubtful.content === unsent.content &&
    doubtful.model === unsent.model &&
    doubtful.parentId === unsent.parentId &&
    doubtful.temporary === unsent.temporary;
  return isSame ? doubtful.id : newId();
}

/** A conversation that begins here has no messages to read; what the server says of it is then written into this. */
function openConversation(client: QueryClient, conversationId: string): void {
  client.setQueryData<KnownMessages>(messagesKey(conversationId), (known) => known ?? NOTHING_KNOWN);
}

function asRunning({ id, conversationId, parentId, content, model }: SendMessage): Message {
  return {
    id,
    conversationId,
    parentId,
    content,
    userId: '',
    response: '',
    modelType: model,
    creditsUsed: 0,
    timestamp: Date.now(),
    status: 'running',
    error: null,
    modelVersion: null,
    contextTrimmed: false,
    upstreamSwitched: false,
    cost: 0,
    quote: { max: 0, lines: [] },
    charged: null,
    usage: null,
    finishReason: null,
    firstTextMs: null,
    endedAt: null,
  };
}
