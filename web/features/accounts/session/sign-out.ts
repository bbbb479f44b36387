import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { callApi } from '#web/lib/api.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { clearUser } from './clear-user.ts';

/** Ends the session and forgets everything of the user on this page. A failure is only logged; says whether it worked. */
async function signOut(queryClient: QueryClient): Promise<boolean> {
  try {
    await callApi('/api/auth/sign-out', { method: 'POST', body: {} });
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the specification asks for the log and for nothing else.
    console.error('sign-out failed', error);
    return false;
  }
  clearUser(queryClient);
  return true;
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
