import type { QueryClient } from '@tanstack/react-query';
import { clearDrafts } from '#web/features/chat/composer/drafts.ts';
import { forgetChatPlace } from '#web/lib/chat-place.ts';
import { rememberSession } from './session-hint.ts';
import { sessionQuery } from './session-query.ts';

/** Forgets everything of the user who has signed out: what this page shows, and the unsent texts on this device. */
export function forgetUser(client: QueryClient): void {
  clearDrafts();
  forgetChatPlace();
  rememberSession(false);
  client.setQueryData(sessionQuery.queryKey, null);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}
