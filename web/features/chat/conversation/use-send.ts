import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { v7 as newId } from 'uuid';
import type { Message, MessagePage, SendMessage } from '#contract/chat.ts';
import { ApiError } from '#web/lib/api.ts';
import { messagesKey, putMessage } from '../messages/message-cache.ts';
import { sendMessage } from './send-message.ts';

type Unsent = Omit<SendMessage, 'id' | 'conversationId'>;

export interface Sender {
  /** The message on its way to the server, in the shape of a running one. */
  pending: Message | null;
  /** Why the last message did not go out; null again with the next attempt, or when it turns out that it had arrived. */
  problem: ApiError | null;
  /** Sends one message at a time: while one is on its way, nothing happens. True when the server has it. */
  send(message: Unsent): Promise<boolean>;
}

interface Outcome {
  /** The server has the message with this text. */
  onSent(content: string): void;
  onRefused(error: ApiError): void;
}

/**
 * Sends into a conversation. Each message has an id made here once: a message whose fate is unknown is sent again under the same
 * id, so that it counts and costs once. The functions of `outcome` must keep their identity.
 */
export function useSend(
  conversationId: string,
  messages: readonly Message[],
  { onSent, onRefused }: Outcome,
): Sender {
  const client = useQueryClient();
  const [pending, setPending] = useState<Message | null>(null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const doubtful = useRef<SendMessage | null>(null);
  const busy = useRef(false);

  const send = useCallback(
    async (unsent: Unsent) => {
      if (busy.current) return false;
      busy.current = true;
      const id = isSame(doubtful.current, unsent) ? doubtful.current.id : newId();
      const message: SendMessage = { ...unsent, id, conversationId };
      doubtful.current = message;
      setProblem(null);
      setPending(asRunning(message));
      openConversation(client, conversationId);
      try {
        putMessage(client, await sendMessage(message));
        doubtful.current = null;
        onSent(message.content);
        return true;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const hasArrived = error.code === 'network' && isKnown(client, message);
        if (error.code !== 'network' || hasArrived) doubtful.current = null;
        if (hasArrived) onSent(message.content);
        else {
          setProblem(error);
          onRefused(error);
        }
        return hasArrived;
      } finally {
        busy.current = false;
        setPending(null);
      }
    },
    [client, conversationId, onSent, onRefused],
  );

  useEffect(() => {
    const sent = doubtful.current;
    if (busy.current || !sent || !messages.some(({ id }) => id === sent.id)) return;
    doubtful.current = null;
    setProblem(null);
    onSent(sent.content);
  }, [messages, onSent]);

  return { pending, problem, send };
}

function isSame(doubtful: SendMessage | null, unsent: Unsent): doubtful is SendMessage {
  return (
    doubtful !== null &&
    doubtful.content === unsent.content &&
    doubtful.model === unsent.model &&
    doubtful.parentId === unsent.parentId &&
    doubtful.temporary === unsent.temporary
  );
}

/** Has the live channel told of the message, though its own answer never came. */
function isKnown(client: QueryClient, { id, conversationId }: SendMessage): boolean {
  const page = client.getQueryData<MessagePage>(messagesKey(conversationId));
  return page?.messages.some((message) => message.id === id) ?? false;
}

/** A conversation that begins here has no messages to read; what the server says of it is then written into this. */
function openConversation(client: QueryClient, conversationId: string): void {
  client.setQueryData<MessagePage>(
    messagesKey(conversationId),
    (known) => known ?? { messages: [], nextCursor: null },
  );
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
    usage: null,
    finishReason: null,
    firstTextMs: null,
    endedAt: null,
  };
}
