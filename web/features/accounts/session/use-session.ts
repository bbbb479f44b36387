import { type Query, type QueryFunctionContext, queryOptions, useQuery } from '@tanstack/react-query';
import type { UserRecord } from '#contract/accounts.ts';
import { clearDoubtful } from '#web/features/chat/messages/doubtful-messages.ts';
import { clearDevice } from '#web/features/offline/clear-device.ts';
import { USER_COPY } from '#web/features/offline/copy-names.ts';
import { orCopy } from '#web/features/offline/or-copy.ts';
import { ApiError, callApi, clearEarlyAnswers } from '#web/lib/api.ts';
import { clearChatPlace } from '#web/lib/chat-place.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';

export type Session =
  | { state: 'loading' }
  | { state: 'signed-out' }
  | { state: 'signed-in'; user: UserRecord }
  /** The server could not be asked. */
  | { state: 'unknown' };

/**
 * Who is signed in, kept up to date. What was built with the page, signed out, is taken over as it was built, however late: until then
 * it is loading.
 */
export function useSession(): Session {
  const { data, status } = useQuery(sessionQuery);
  if (!useHydrated()) return { state: 'loading' };
  if (data) return { state: 'signed-in', user: data };
  if (data === null) return { state: 'signed-out' };
  return { state: status === 'error' ? 'unknown' : 'loading' };
}

/** Who is signed in: the user record, or null. The live channel writes credits and subscription into it. */
export const sessionQuery = queryOptions({
  queryKey: ['me'],
  queryFn: readSession,
  staleTime: 60_000,
  retry: 2,
});

/** What a page reads for whoever holds a mail's link, or for everyone: asking for it again would find the link used up. */
const NOT_OF_USER = new Set<unknown>([
  'me',
  'sign-in-options',
  'sign-in-link',
  'verify-email',
  'reset-offer',
  'notice',
]);

/** Whether a page read something for its user, who may be another one next. */
export function isOfUser({ queryKey: [kind] }: Pick<Query, 'queryKey'>): boolean {
  return !NOT_OF_USER.has(kind);
}

/**
 * Where a session that was expected is over, nothing of its user stays on this device; where it is over or another user has one now,
 * as after another tab signed out or in, nothing that this page read for the former.
 */
async function readSession({
  client,
  signal,
}: Pick<QueryFunctionContext, 'client' | 'signal'>): Promise<UserRecord | null> {
  const former = client.getQueryData<UserRecord | null>(['me']);
  const isExpected = isSessionExpected();
  const user = isExpected
    ? await orCopy(USER_COPY, { client, queryKey: ['me'] }, () => readUser(signal))
    : (await hasSession(signal))
      ? await readUser(signal)
      : null;
  rememberSession(user !== null);
  if (user === null) {
    if (isExpected) clearDevice();
    clearDoubtful();
  }
  // What a visitor may use is not what this user may.
  if (former === null && user) void client.resetQueries({ queryKey: ['catalogue'] });
  const hasChanged = former && former.uid !== user?.uid;
  if (hasChanged) {
    const filter = { predicate: isOfUser };
    if (user) void client.resetQueries(filter);
    else client.removeQueries(filter);
  }
  if ((user && takeTab(user.uid)) || hasChanged) {
    clearChatPlace();
    clearDoubtful();
  }
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

const TAB_KEY = 'session.user';

/** Keeps whose tab this is, over a reload too; true where it was another user's before. */
function takeTab(uid: string): boolean {
  try {
    const before = sessionStorage.getItem(TAB_KEY);
    sessionStorage.setItem(TAB_KEY, uid);
    return before !== null && before !== uid;
  } catch {
    return false;
  }
}

const KEY = 'session';

/** Whether a user was signed in here when the session was last read. */
export function isSessionExpected(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** Keeps whether a user is signed in, so that the next page neither shows the sign-in first nor asks in vain. */
export function rememberSession(signedIn: boolean): void {
  if (!signedIn) clearEarlyAnswers();
  try {
    if (signedIn) localStorage.setItem(KEY, 'expected');
    else localStorage.removeItem(KEY);
  } catch {
    // Storage may be forbidden; then the next page shows the way in for a moment.
  }
}
