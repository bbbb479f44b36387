import type { QueryClient } from '@tanstack/react-query';
import { callApi } from '#web/lib/api.ts';
import { forgetUser } from './forget-user.ts';

/** Ends the session and forgets everything of the user on this page. A failure is only logged; says whether it worked. */
export async function signOut(queryClient: QueryClient): Promise<boolean> {
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
