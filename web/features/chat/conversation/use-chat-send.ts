import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { v7 as newId } from 'uuid';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message, SendMessage } from '#contract/chat.ts';
import type { InputPart } from '#contract/message/parts.ts';
import { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import type { ComposerState } from '../composer/composer-state.ts';
import type { Draft } from '../composer/draft.ts';
import { partsOf } from '../files/attachments.ts';
import type { AttachmentsSummary } from '../files/use-attachments.ts';
import { type KnownMessages, messagesKey, NOTHING_KNOWN, putMessage } from '../messages/message-cache.ts';
import type { QueuedMessage } from '../queue/queue-store.ts';
import { extraCost, extrasOf } from '../quote/extra-cost.ts';
import type { SearchMode } from '../quote/search-mode.ts';
import type { Extras, ShownQuote } from '../quote/use-quote.ts';
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
  files: AttachmentsSummary;
  /** What the message being written carries, and what it may cost. */
  extras: Extras;
  quote: ShownQuote;
  searchMode: SearchMode;
  /** What was shown as the price is not it any more. */
  onQuoteChanged: () => void;
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
  extras?: Extras;
  /** The most that its sender was shown that it costs; the price of the model where nothing else was. */
  max?: number;
}

/**
 * Sends into a conversation, one message at a time: the whole way from Enter to the request. Each message has an id made here once;
 * one whose fate is unknown is sent again under the same id, so that it counts and costs once.
 */
export function useChatSend(input: SendInput): ChatSend {
  const { model, queue, toEnd, extras, quote, searchMode } = input;
  const { ask, problem } = useAsk(input);
  const { max } = quote;
  const send = useCallback(
    async (content: string) => {
      const parentId = await toEnd();
      if (model && parentId !== undefined) await ask({ content, parentId, model });
    },
    [ask, toEnd, model],
  );
  const sendDraft = useCallback(
    async (content: string) => {
      const parentId = await toEnd();
      if (model && max !== null && parentId !== undefined)
        await ask({ content, parentId, model, extras, max });
    },
    [ask, toEnd, model, extras, max],
  );
  const askBeside: ChatSend['askBeside'] = useCallback(
    (message, asked) => {
      const { content = message.content, model: one } = asked;
      const price = (one.cost ?? 0) + extraCost(message);
      const { parentId } = message;
      return ask({ content, parentId, model: one, extras: extrasOf(message, searchMode), max: price });
    },
    [ask, searchMode],
  );
  const [first] = queue.items;
  const sendQueued = useCallback(
    async (asked: CatalogueModel) => {
      const parentId = await toEnd();
      if (!first || parentId === undefined) return;
      const { id, content } = first;
      await ask({ id, content, parentId, model: asked, ...carriedBy(first, asked) });
    },
    [ask, toEnd, first],
  );
  return { ...useSubmit(input, sendDraft), send, askBeside, sendQueued, problem };
}

/** Sends one message, unless another is on its way; false when the server does not have it, which `problem` then says. */
function useAsk(input: SendInput) {
  const { conversationId, temporary, credits, draft, release, setPending, onQuoteChanged } = input;
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const { busy, doubtful, problem, begin, arrived, refused } = useDelivery(input);
  // The price that was shown when the server refused the one before it: who sends the same again agrees.
  const agreed = useRef<{ key: string; max: number } | null>(null);
  const ask = useCallback(
    async ({ id, content, parentId, model: asked, extras = {}, max }: Question): Promise<boolean> => {
      if (busy.current || asked.cost === null) return false;
      const { files, options } = extras;
      const bare = {
        conversationId,
        content,
        parentId,
        model: asked.id,
        ...(files ? { files: [...files] } : {}),
        ...(options ? { options } : {}),
        ...(temporary ? { temporary } : {}),
      };
      const price = Math.max(max ?? asked.cost, agreed.current?.key === keyOf(bare) ? agreed.current.max : 0);
      if (credits < price) {
        showAlert(t('errors.insufficient_credits', { needed: price, balance: credits }));
        return false;
      }
      const unsent = { ...bare, maxCredits: price };
      const message = { ...unsent, id: id ?? idFor(unsent, doubtful.current) };
      const pending = asRunning(message, partsOf(draft.attachments.read(), files ?? []));
      begin(message);
      const putBack = release(parentId);
      setPending(pending);
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
        if (error.code === 'quote_changed') {
          agreed.current = { key: keyOf(message), max: Number(error.params.max ?? 0) };
          onQuoteChanged();
        }
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
      draft,
      release,
      setPending,
      onQuoteChanged,
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

/** What makes two messages the same question. */
function keyOf({ content, model, parentId, temporary, files, options }: Omit<SendMessage, 'id'>): string {
  return JSON.stringify([
    content,
    model,
    parentId,
    temporary ?? false,
    files ?? [],
    options?.search ?? 'off',
  ]);
}

/** The id of the message whose fate is unknown where this is the same one again, else a new one. */
function idFor(unsent: Omit<SendMessage, 'id'>, doubtful: SendMessage | null): string {
  return doubtful !== null && keyOf(doubtful) === keyOf(unsent) ? doubtful.id : newId();
}

/** What a message that waited carries, and its price: with nothing added, that of now. */
function carriedBy({ files, options, cost }: QueuedMessage, model: CatalogueModel) {
  if (!files && !options) return { max: model.cost ?? cost };
  const extras = { ...(files ? { files: files.map(({ id }) => id) } : {}), ...(options ? { options } : {}) };
  return { extras, max: cost };
}

/** A conversation that begins here has no messages to read; what the server says of it is then written into this. */
function openConversation(client: QueryClient, conversationId: string): void {
  client.setQueryData<KnownMessages>(messagesKey(conversationId), (known) => known ?? NOTHING_KNOWN);
}

function asRunning(
  { id, conversationId, parentId, content, model }: SendMessage,
  files: InputPart[],
): Message {
  return {
    id,
    conversationId,
    parentId,
    content,
    ...(files.length > 0 ? { inputParts: [{ kind: 'text', text: content }, ...files] } : {}),
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
