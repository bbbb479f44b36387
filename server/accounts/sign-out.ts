import type { Deps } from '#server/deps.ts';
import type { Actor } from './authenticate.ts';
import type { Auth } from './create-auth.ts';
import { publishSignedOut } from './live-sessions.ts';
import { type AuthCall, sendToAuth } from './send-to-auth.ts';

/** Ends the caller's session on the server, tells its open tabs, and clears its cookies; a visitor has nothing to end. */
export async function signOut(
  { bus }: Pick<Deps, 'bus'>,
  auth: Auth,
  call: AuthCall,
  actor: Actor | null,
): Promise<Response> {
  const response = await sendToAuth(auth, { ...call, body: {} });
  if (actor) publishSignedOut(bus, actor.userId, actor.sessionId);
  return response;
}
