import type { Order, Subscription } from './billing.ts';
import type { Conversation, DeletedConversation, Message } from './chat.ts';

/** What `/api/live` sends to every tab of a user; the SSE event name is `type`, its data is `data` as JSON. */
export type LiveEvent =
  | { type: 'message'; data: { message: Message } }
  | { type: 'conversation'; data: { conversation: Conversation } }
  /** Until `restorableUntil` it may come back, as a `conversation`. */
  | { type: 'conversation_deleted'; data: DeletedConversation }
  | { type: 'credits'; data: { credits: number } }
  | { type: 'subscription'; data: { subscription: Subscription | null } }
  | { type: 'order'; data: { order: Order } }
  /** Which models are paused now, by their ids. */
  | { type: 'models'; data: { paused: string[] } }
  | { type: 'profile'; data: { displayName: string; photoURL: string | null } }
  | { type: 'signed_out'; data: Record<string, never> };
