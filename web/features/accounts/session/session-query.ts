import { queryOptions } from '@tanstack/react-query';
import type { UserRecord } from '#contract/accounts.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { isSessionExpected, rememberSession } from './session-hint.ts';

/** Who is signed in: the user record, or null. The live channel writes credits and subscription into it. */
export const sessionQuery = queryOptions({
  queryKey: ['me'],
  queryFn: readSession,
  staleTime: 60_000,
  retry: 2,
});

async function readSession({ signal }: { signal: AbortSignal }): Promise<UserRecord | null> {
  const user = isSessionExpected() || (await hasSession(signal)) ? await readUser(signal) : null;
  rememberSession(user !== null);
  return user;
}

/** Asks where a stranger is answered with null: a 401 would stand in the console of every visitor. */
async function hasSession(signal: AbortSignal): Promise<boolean> {
  return (await callApi<object | null>('/api/auth/get-session', { signal })) !== null;
}

async function readUser(signal: AbortSignal): Promise<UserRecord | null> {
  try {
    return await callApi<UserRecord>('/api/me', { signal });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') return null;
    throw error;
  }
}
