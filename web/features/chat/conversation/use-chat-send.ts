import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { v7 as newId } from 'uuid';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message, SendMessage, SentEvent } from '#contract/chat.ts';
import { refreshUnlessLive } from '#web/features/live/live-state.ts';
import { ApiError, TIMEOUT_MS } from '#web/lib/api.ts';
import { openEventStream } from '#web/lib/event-stream.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import { keepStream } from '../answer/live-answer.ts';
import type { ComposerState } from '../composer/composer.tsx';
import type { Draft } from '../composer/draft.ts';
import { refusalText } from '../messages/failure-text.ts';
import { type KnownMessages, messagesKey, NOTHING_KNOWN, putMessage } from '../messages/message-cache.ts';

/** Pauses before a message is sent again that got no answer. */
const PAUSES_MS = [500, 1500];

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
  /** What keeps the last message from going out, in words. */
  problem: string | null;
}

interface Question {
  content: string;
  parentId: string | null;
  model: CatalogueModel;
}

/**
 * Sends into a conversation, one message at a time: the whole way from Enter to the request. Each message has an id made here once;
 * one whose fate is unknown is sent again under the same id, so that it counts and costs once.
 */
export function useChatSend(input: SendInput): ChatSend {
  const { conversationId, temporary, model, credits, toEnd, release, setPending } = input;
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const { busy, doubtful, problem, begin, arrived, refused } = useDelivery(input);

  const ask = useCallback(
    async ({ content, parentId, model: asked }: Question): Promise<boolean> => {
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
        ...(temporary ? { temporary } : {}),
      };
      const message = { ...unsent, id: idFor(unsent, doubtful.current) };
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
        const isHere = error.code === 'network' && isKnown(client, message);
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
  return { ...useSubmit(input, send), send, askBeside, problem };
}

/** Sends the draft when it can be sent; what was asked for while something still loads waits until that is here. */
function useSubmit({ state, draft }: SendInput, send: ChatSend['send']) {
  const [isAwaited, setAwaited] = useState(false);
  const submit = useCallback(() => {
    const content = draft.read().trim();
    setAwaited(state === 'loading' && content !== '');
    if (state === 'ready' && content !== '') void send(content);
  }, [state, draft, send]);
  const submitNow = useEffectEvent(submit);
  useEffect(() => {
    if (isAwaited && state !== 'loading') submitNow();
  }, [isAwaited, state]);
  const cancelSubmit = useCallback(() => setAwaited(false), []);
  return { isAwaited, submit, cancelSubmit };
}

/** What becomes of the message sent last: it arrived, was refused, or is unknown until the live channel reports it. */
function useDelivery({ messages, draft, pause, beginPause }: SendInput) {
  const translation = useTranslation('common');
  const client = useQueryClient();
  const busy = useRef(false);
  const doubtful = useRef<SendMessage | null>(null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const begin = useCallback((message: SendMessage) => {
    busy.current = true;
    doubtful.current = message;
    setProblem(null);
  }, []);
  const arrived = useCallback(
    ({ content }: SendMessage) => {
      doubtful.current = null;
      setProblem(null);
      if (draft.read().trim() === content) draft.write('');
      refreshUnlessLive(client);
    },
    [client, draft],
  );
  const refused = useCallback(
    (error: ApiError) => {
      if (error.code !== 'network') doubtful.current = null;
      if (error.code === 'too_many_unanswered') return beginPause(error);
      setProblem(error);
      showAlert(refusalText(translation, error).alert);
      void client.invalidateQueries({ queryKey: ['me'] });
      if (error.code === 'model_not_allowed') void client.invalidateQueries({ queryKey: ['catalogue'] });
    },
    [client, translation, beginPause],
  );
  const refusal = pause?.refusal ?? problem;
  useEffect(() => {
    const sent = doubtful.current;
    if (!busy.current && sent && messages.some(({ id }) => id === sent.id)) arrived(sent);
  }, [messages, arrived]);
  return {
    busy,
    doubtful,
    begin,
    arrived,
    refused,
    problem: refusal && refusalText(translation, refusal).note,
  };
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

/** Whether the live channel reported the message, though its own response never came. */
function isKnown(client: QueryClient, { id, conversationId }: SendMessage): boolean {
  const known = client.getQueryData<KnownMessages>(messagesKey(conversationId));
  return known?.messages.some((message) => message.id === id) ?? false;
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

/**
 * Posts a message, and keeps the stream of its answer for the one who shows it. When no answer comes it is posted again, twice, under
 * the same id, which the server counts as one message and one charge. Throws `ApiError`; with `network` it stays unknown whether
 * the message arrived.
 */
async function postMessage(message: SendMessage): Promise<Message> {
  for (const pause of PAUSES_MS) {
    try {
      return await postOnce(message);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'network')) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return postOnce(message);
}

async function postOnce(message: SendMessage): Promise<Message> {
  const controller = new AbortController();
  const timeout = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    const stream = await openEventStream('/api/messages', { body: message, controller });
    const first = await stream?.next();
    if (!stream || first?.event !== 'message') throw new ApiError('network');
    const { message: sent } = JSON.parse(first.data) as SentEvent['data'];
    keepStream(sent.id, stream);
    return sent;
  } catch (error) {
    controller.abort();
    throw error instanceof ApiError ? error : new ApiError('network');
  } finally {
    clearTimeout(timeout);
  }
}
