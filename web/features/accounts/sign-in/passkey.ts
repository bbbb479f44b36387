import { ApiError } from '#web/lib/api.ts';
import type { TextKey } from '#web/lib/translate.ts';
import { reachProblem } from './sign-in.ts';

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
