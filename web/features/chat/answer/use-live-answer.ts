import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Message } from '#contract/chat.ts';
import { messagesKey, putMessage } from '../messages/message-cache.ts';
import { type AnswerState, LiveAnswer } from './live-answer.ts';

/**
 * Follows a message's answer while it runs and is on screen, and writes its end into the conversation. A `pending` message, which
 * the server may not know yet, is not followed.
 */
export function useLiveAnswer(message: Message, pending: boolean): AnswerState {
  const client = useQueryClient();
  const [answer] = useState(() => new LiveAnswer(message.id));
  const { conversationId } = message;
  const isRunning = message.status === 'running' && !pending;
  useEffect(() => {
    if (!isRunning) return;
    return answer.follow({
      onEnd: (ended) => void putMessage(client, ended),
      onRefused: () => void client.invalidateQueries({ queryKey: messagesKey(conversationId) }),
    });
  }, [answer, client, conversationId, isRunning]);
  return useSyncExternalStore(answer.subscribe, answer.snapshot, answer.snapshot);
}
