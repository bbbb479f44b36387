import { ApiError, callApi } from '#web/lib/api.ts';
import type { TextKey } from '#web/lib/translate.ts';
import { reachProblem } from './sign-in.ts';

/** Has a passkey answer what the server asks at `path`. Throws `ApiError`, or what `passkeyProblem` reads. */
export async function askPasskey(path: string) {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = await callApi<Parameters<typeof startAuthentication>[0]['optionsJSON']>(path, {
    method: 'POST',
  });
  return startAuthentication({ optionsJSON });
}

/** Has the browser make a passkey for the signed-in user. Throws like `askPasskey`. */
export async function createPasskey() {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = await callApi<Parameters<typeof startRegistration>[0]['optionsJSON']>(
    '/api/me/passkeys/options',
    { method: 'POST' },
  );
  return startRegistration({ optionsJSON });
}

/** Whether passkeys can be used here: `address` when this page was opened by an IP address, which they know nothing of. */
export type PasskeySupport = 'yes' | 'address' | 'browser';

/** Asked in the browser only. */
export function passkeySupport(): PasskeySupport {
  if (/^([\d.]+|\[.*\])$/.test(window.location.hostname)) return 'address';
  return typeof window.PublicKeyCredential === 'function' ? 'yes' : 'browser';
}

/** The text key of what went wrong with a passkey; null when its user turned back, which needs no word. */
export function passkeyProblem(error: unknown): TextKey | null {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return null;
  if (name === 'InvalidStateError') return 'errors.passkey_taken';
  if (error instanceof ApiError && error.code === 'internal') return 'errors.internal';
  return reachProblem(error) ?? 'errors.passkey_refused';
}
