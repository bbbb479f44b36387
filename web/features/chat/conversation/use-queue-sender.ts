import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Conversation, Message, SendMessage } from '#contract/chat.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { runningQuery } from '../list/conversation-marks.ts';
import { type KnownMessages, messagesKey, putMessage } from '../messages/message-cache.ts';
import { judgeQueue, type Verdict } from '../queue/judge-queue.ts';
import {
  advanceQueue,
  beginSendingQueued,
  endSendingQueued,
  ON_WAY_MS,
  type Queue,
  type QueuedMessage,
  type Queues,
  takeQueue,
} from '../queue/queue-store.ts';
import { sendMessage } from './send-message.ts';

export interface SenderInput {
  userId: string;
  conversationId: string;
  /** What is known of the conversation on screen, and whether that was read. */
  messages: readonly Message[];
  isLoaded: boolean;
  /** The message on its way to the server, or being answered. */
  underWay: Message | null;
  models: readonly CatalogueModel[];
  credits: number;
  isPaused: boolean;
  beginPause: (refusal: ApiError) => void;
  /** Takes back what waited in a conversation that is not there. */
  giveBack: (items: readonly QueuedMessage[]) => void;
}

/** Sends first messages of queues, each once at a time. */
export function useQueueSender(input: SenderInput, queues: Queues) {
  const { userId, conversationId, messages, isLoaded, underWay, models, credits, giveBack, ...pause } = input;
  const client = useQueryClient();
  const { send, busy, refusals, forgive } = useSendFirst(userId, pause.beginPause);
  const { data: answers } = useQuery(runningQuery);
  const [read, setRead] = useState<ReadonlyMap<string, Message>>(new Map());

  const judge = (id: string, queue: Queue): Verdict => {
    const isOwn = id === conversationId;
    const known = isOwn ? messages : client.getQueryData<KnownMessages>(messagesKey(id))?.messages;
    const before = read.get(queue.after) ?? known?.find((one) => one.id === queue.after);
    const isRunning = answers?.running.some((one) => one.id === queue.after) ?? true;
    const first = queue.items[0];
    return judgeQueue(queue, {
      before: isOwn || !isRunning ? before : undefined,
      isExpected: isOwn ? !isLoaded || underWay?.id === queue.after : isRunning || !before,
      model: models.find((one) => one.id === first?.model),
      credits,
      isPaused: pause.isPaused,
      isRefused: refusals.has(first?.id ?? ''),
      now: Date.now(),
    });
  };
  /**
   * Reads the answer before a queue of a conversation that is not on screen, once it does not run any more. Where the server never had
   * that message, the queue waits in its conversation; where that is not there either, its writer has it back.
   */
  const readBefore = async (id: string, { after, items }: Queue) => {
    const isRunning = answers?.running.some((one) => one.id === after) ?? true;
    if (id === conversationId || isRunning || read.has(after) || busy.has(after)) return;
    busy.add(after);
    const message = await callApi<Message>(`/api/messages/${after}`).catch(codeOf);
    if (message === 'not_found' && items.some(({ at }) => at > Date.now() - ON_WAY_MS)) {
      setTimeout(() => busy.delete(after), ON_WAY_MS);
      return;
    }
    if (message === 'not_found') {
      const conversation = await callApi<Conversation>(`/api/conversations/${id}`).catch(codeOf);
      if (conversation === 'not_found') giveBack(takeQueue(userId, id));
      if (typeof conversation !== 'string' || conversation === 'not_found') return;
    }
    busy.delete(after);
    if (typeof message !== 'string' && message.status !== 'running')
      setRead((known) => new Map(known).set(after, message));
  };
  const sendDue = useEffectEvent(() => {
    for (const [id, queue] of Object.entries(queues)) {
      const [first] = queue.items;
      if (!first) continue;
      const isSent = id === conversationId && messages.some((one) => one.id === first.id);
      if (isSent) advanceQueue(userId, id, first.id);
      else if (judge(id, queue) === 'send') void send(id, queue, first);
      else void readBefore(id, queue);
    }
  });
  // What it depends on is half of the page, and without queues it does nothing.
  useEffect(() => sendDue());
  return { judge, refusals, forgive, busy };
}

function codeOf(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  return error.code;
}

/** Sends first messages under their ids, each once at a time, and keeps why one was refused until that is forgiven. */
function useSendFirst(userId: string, beginPause: SenderInput['beginPause']) {
  const client = useQueryClient();
  const [refusals, setRefusals] = useState<ReadonlyMap<string, ApiError>>(new Map());
  const busy = useRef(new Set<string>()).current;
  const send = async (conversation: string, { after }: Queue, first: QueuedMessage) => {
    if (busy.has(first.id)) return;
    busy.add(first.id);
    try {
      if (!beginSendingQueued(userId, conversation, first.id)) return;
      putMessage(client, await sendMessage(client, asSent(conversation, after, first)));
      advanceQueue(userId, conversation, first.id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'too_many_unanswered') return beginPause(error);
      setRefusals((known) => new Map(known).set(first.id, error));
      void client.invalidateQueries({ queryKey: ['me'] });
      void client.invalidateQueries({ queryKey: ['catalogue'] });
    } finally {
      busy.delete(first.id);
      endSendingQueued(userId, conversation, first.id);
    }
  };
  const forgive = useCallback((id: string) => {
    setRefusals((known) => new Map([...known].filter(([refused]) => refused !== id)));
  }, []);
  return { send, busy, refusals, forgive };
}

/** The message that goes to the server for one that waits in a conversation, under `parentId`. */
export function asSent(
  conversationId: string,
  parentId: string,
  { id, content, model, cost, files, options }: QueuedMessage,
): SendMessage {
  return {
    id,
    conversationId,
    parentId,
    content,
    model,
    ...(files ? { files: files.map((file) => file.id) } : {}),
    ...(options ? { options } : {}),
    maxCredits: cost,
  };
}
