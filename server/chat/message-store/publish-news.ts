import type { Conversation, DeletedConversation } from '#contract/chat.ts';
import { type Bus, userTopic } from '#server/platform/database/bus.ts';
import type { MessageRow } from './store.ts';

/** Publishes to every open tab of the user that a message is new or has changed. Other processes read it for themselves. */
export function publishMessage(bus: Bus, message: MessageRow) {
  bus.publish(userTopic(message.userId), { type: 'message', id: message.id }, message);
}

/** Publishes to every open tab of the user that a conversation is new, has moved to the top, or has changed. */
export function publishConversation(bus: Bus, userId: string, conversation: Conversation) {
  bus.publish(userTopic(userId), { type: 'conversation', ...conversation });
}

/** Publishes to every open tab of the user that a conversation was deleted. */
export function publishDeleted(bus: Bus, userId: string, deleted: DeletedConversation) {
  bus.publish(userTopic(userId), { type: 'conversation_deleted', ...deleted });
}
