import type { Conversation, DeletedConversation, UpdateConversation } from '#contract/chat.ts';
import { callApi } from '#web/lib/api.ts';

/** Changes a conversation and gives back what it is now. Throws `ApiError`. */
export function changeConversation(id: string, change: UpdateConversation): Promise<Conversation> {
  return callApi<Conversation>(`/api/conversations/${id}`, { method: 'PATCH', body: change });
}

/** Deletes a conversation; for a while `restoreConversation` brings it back. Throws `ApiError`. */
export function deleteConversation(id: string): Promise<DeletedConversation> {
  return callApi<DeletedConversation>(`/api/conversations/${id}`, { method: 'DELETE' });
}

/** Brings back a conversation that was just deleted. Throws `ApiError`. */
export function restoreConversation(id: string): Promise<Conversation> {
  return callApi<Conversation>(`/api/conversations/${id}/restore`, { method: 'POST' });
}

/** Where a conversation is downloaded from, as a file. */
export function exportAddress(id: string, format: 'md' | 'json'): string {
  return `/api/conversations/${id}/export?format=${format}`;
}
