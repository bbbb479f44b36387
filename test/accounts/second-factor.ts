import { Secret, TOTP } from 'otpauth';
import type { Enrolment, RecoveryCodes } from '#contract/accounts/second-factor.ts';
import type { TestClient } from '../client.ts';

/** What an authenticator app with this secret shows at a time. */
export function codeOf(secret: string, at: number): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at });
}

/** Turns the second factor of a signed-in client on; throws unless that succeeds. `now` is the server's time. */
export async function turnOnSecondFactor(client: TestClient, now: number) {
  const { secret } = await answerOf<Enrolment>(client.post('/api/me/second-factor/enrolment'));
  const finished = client.post('/api/me/second-factor', { code: codeOf(secret, now) });
  return { secret, ...(await answerOf<RecoveryCodes>(finished)) };
}

async function answerOf<T>(asked: Promise<Response>): Promise<T> {
  const response = await asked;
  if (response.status !== 201) throw new Error(`answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
