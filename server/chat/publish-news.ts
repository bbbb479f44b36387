import type { Conversation } from '#contract/chat.ts';
import { type Bus, userTopic } from '#server/platform/bus.ts';
import type { MessageRow } from './store.ts';

/** Tells every open tab of the user that a message is new or has changed. Other processes read it for themselves. */
export function publishMessage(bus: Bus, message: MessageRow) {
  bus.publish(userTopic(message.userId), { type: 'message', id: message.id }, message);
}

/** Tells every open tab of the user what can be spent now. */
export function publishCredits(bus: Bus, userId: string, credits: number) {
  bus.publish(userTopic(userId), { type: 'credits', credits });
}

/** Tells every open tab of the user that a conversation is new or has moved to the top. */
export function publishConversation(bus: Bus, userId: string, conversation: Conversation) {
  bus.publish(userTopic(userId), { type: 'conversation', ...conversation });
}
