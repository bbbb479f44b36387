import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { callApi } from '#web/lib/api.ts';

type Asked = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type Made = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Has a passkey answer what the server asks at `path`. Throws `ApiError`, or what `passkeyProblem` (passkey.ts) reads. */
export async function askPasskey(path: string) {
  return startAuthentication({ optionsJSON: await callApi<Asked>(path, { method: 'POST' }) });
}

/** Has the browser make a passkey for the signed-in user. Throws like `askPasskey`. */
export async function createPasskey() {
  const optionsJSON = await callApi<Made>('/api/me/passkeys/options', { method: 'POST' });
  return startRegistration({ optionsJSON });
}
