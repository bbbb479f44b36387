import type { Query, QueryClient } from '@tanstack/react-query';
import { clearDrafts } from '#web/features/chat/composer/draft-storage.ts';
import { clearFirstQuestion } from '#web/features/chat/composer/first-question.ts';
import { clearPauses } from '#web/features/chat/conversation/use-pause.ts';
import { clearMarks } from '#web/features/chat/list/conversation-marks.ts';
import { clearDoubtful } from '#web/features/chat/messages/doubtful-messages.ts';
import { clearQueues } from '#web/features/chat/queue/queue-store.ts';
import { clearAnswerOptions } from '#web/features/chat/quote/answer-options.ts';
import { clearDevice } from '#web/features/offline/clear-device.ts';
import { clearChatPlace } from '#web/lib/chat-place.ts';
import { isOfUser, rememberSession, sessionQuery } from './use-session.ts';

/** Forgets everything of the user who has signed out: what this page shows, the unsent texts, and what was kept to read offline. */
export function clearUser(client: QueryClient): void {
  clearDevice();
  clearDrafts();
  clearDoubtful();
  clearQueues();
  clearAnswerOptions();
  clearPauses();
  clearFirstQuestion();
  clearChatPlace();
  clearMarks();
  rememberSession(false);
  client.setQueryData(sessionQuery.queryKey, null);
  const isSession = ({ queryKey }: Query) => queryKey[0] === sessionQuery.queryKey[0];
  // What the link of a mail shows is on screen still, and cannot be read again once the link is used up.
  client.removeQueries({ predicate: (query) => isOfUser(query) || !(isSession(query) || query.isActive()) });
}
