import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { clearDrafts } from '#web/features/chat/composer/drafts.ts';
import { forgetFirstQuestion } from '#web/features/chat/composer/first-question.ts';
import { clearPauses } from '#web/features/chat/conversation/use-pause.ts';
import { clearMarks } from '#web/features/chat/list/marks.ts';
import { clearQueues } from '#web/features/chat/queue/queue-store.ts';
import { clearAnswerOptions } from '#web/features/chat/quote/answer-options.ts';
import { wipeDevice } from '#web/features/offline/wipe-device.ts';
import { callApi } from '#web/lib/api.ts';
import { forgetChatPlace } from '#web/lib/chat-place.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { rememberSession, sessionQuery } from './use-session.ts';

/** Ends the session and forgets everything of the user on this page. A failure is only logged; says whether it worked. */
async function signOut(queryClient: QueryClient): Promise<boolean> {
  try {
    await callApi('/api/auth/sign-out', { method: 'POST', body: {} });
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the specification asks for the log and for nothing else.
    console.error('sign-out failed', error);
    return false;
  }
  forgetUser(queryClient);
  return true;
}

/** Forgets everything of the user who has signed out: what this page shows, the unsent texts, and what was kept to read offline. */
export function forgetUser(client: QueryClient): void {
  wipeDevice();
  clearDrafts();
  clearQueues();
  clearAnswerOptions();
  clearPauses();
  forgetFirstQuestion();
  forgetChatPlace();
  clearMarks();
  rememberSession(false);
  client.setQueryData(sessionQuery.queryKey, null);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}

/** Gives the act of signing out; afterwards the reader is at home. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const pathTo = useLocalPath();
  return async () => {
    if (await signOut(queryClient)) await navigate(pathTo(''));
  };
}
