/** The names under which this device keeps what the chat needs without a network. */
export const USER_COPY = 'user';
export const LIST_COPY = 'conversations';
export const CATALOGUE_COPY = 'catalogue';
const MESSAGES = 'messages/';

/** The name under which the messages of a conversation are kept. */
export function messagesCopy(conversationId: string): string {
  return MESSAGES + conversationId;
}

/** The conversation whose messages are kept under a name; null under any other. */
export function conversationOf(name: string): string | null {
  return name.startsWith(MESSAGES) ? name.slice(MESSAGES.length) : null;
}
