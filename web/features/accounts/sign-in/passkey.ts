import { callApi } from '#web/lib/api.ts';

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
