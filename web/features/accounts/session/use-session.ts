import { useQuery } from '@tanstack/react-query';
import type { UserRecord } from '#contract/accounts.ts';
import { sessionQuery } from './session-query.ts';

export type Session =
  | { state: 'loading' }
  | { state: 'signed-out' }
  | { state: 'signed-in'; user: UserRecord }
  /** The server could not be asked. */
  | { state: 'unknown' };

/** Who is signed in, kept up to date. */
export function useSession(): Session {
  const { data, status } = useQuery(sessionQuery);
  if (data) return { state: 'signed-in', user: data };
  if (data === null) return { state: 'signed-out' };
  return { state: status === 'error' ? 'unknown' : 'loading' };
}
