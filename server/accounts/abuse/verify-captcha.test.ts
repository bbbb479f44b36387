import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CAPTCHA_HEADER } from '#contract/choices.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { type CaptchaEmulator, startCaptchaEmulator } from '#test/accounts/captcha-emulator.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { startMailbox } from '#test/mailbox.ts';
import { IS_LONG } from '#test/runs.ts';

let captcha: CaptchaEmulator;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let app: TestApp;
beforeAll(async () => {
  captcha = await startCaptchaEmulator();
  mailbox = await startMailbox();
  app = await createTestApp({ env: { ...captcha.settings, ...mailbox.settings, TRUST_PROXY: '1' } });
});
beforeEach(() => captcha.behave('well'));
afterAll(async () => {
  await app.close();
  await mailbox.close();
  await captcha.close();
});

let visitors = 0;
function nextAddress() {
  visitors += 1;
  return `203.0.113.${visitors}`;
}

/** A new person, with a proof or without. */
function visit(token?: string, address = nextAddress()) {
  const headers = { 'x-forwarded-for': address, ...(token ? { [CAPTCHA_HEADER]: token } : {}) };
  return app.visit({ headers });
}
const newAddress = () => `${crypto.randomUUID()}@example.test`;
const signUp = (token?: string) =>
  visit(token).post('/api/auth/sign-up/email', { email: newAddress(), password: 'correct horse' });
const errorOf = async (response: Response) => ((await response.json()) as ErrorBody).error;

describe('where a captcha is set, a sign-up', () => {
  it('without a proof is told what to ask the reader', async () => {
    const response = await signUp();
    expect(response.status).toBe(403);
    expect(await errorOf(response)).toMatchObject({
      code: 'captcha_required',
      params: { provider: 'turnstile', siteKey: 'captcha-site', script: `${captcha.url}/api.js` },
    });
  });

  it('with a proof succeeds once; the provider is told the address and our secret', async () => {
    const token = captcha.solve();
    const client = visit(token, '198.51.100.44');
    await client.signUp();
    expect(captcha.asked.at(-1)).toEqual({
      secret: 'captcha-secret',
      response: token,
      remoteip: '198.51.100.44',
    });
    const again = await signUp(token);
    expect(again.status).toBe(403);
    expect((await errorOf(again)).code).toBe('captcha_failed');
  });

  it('with an invented proof is refused', async () => {
    for (const token of ['x', 'true', 'x'.repeat(9_000)]) {
      const response = await signUp(token);
      expect([response.status, (await errorOf(response)).code]).toEqual([403, 'captcha_failed']);
    }
  });

  it.runIf(IS_LONG).each(['with a fault', 'with nonsense', 'never'] as const)(
    'lets nobody through while the provider answers %s',
    async (how) => {
      captcha.behave(how);
      const response = await signUp(captcha.solve());
      expect([response.status, (await errorOf(response)).code]).toEqual([503, 'captcha_unavailable']);
    },
  );

  it('lets nobody through with a wrong secret of ours', async () => {
    const wrong = await createTestApp({
      beside: app,
      env: { ...captcha.settings, CAPTCHA_SECRET: 'another' },
    });
    const client = wrong.visit({ headers: { [CAPTCHA_HEADER]: captcha.solve() } });
    const response = await client.post('/api/auth/sign-up/email', {
      email: newAddress(),
      password: 'correct horse',
    });
    expect((await errorOf(response)).code).toBe('captcha_unavailable');
    await wrong.close();
  });
});

it('where a captcha is set, a reset mail is asked for with a proof only', async () => {
  const email = newAddress();
  const path = '/api/auth/request-password-reset';
  expect((await visit().post(path, { email })).status).toBe(403);
  expect((await visit(captcha.solve()).post(path, { email })).status).toBe(200);
});

describe('where a captcha is set, signing in', () => {
  const signIn = (email: string, password: string, token?: string, address?: string) =>
    visit(token, address).post('/api/auth/sign-in/email', { email, password });

  it('needs no proof until some tries at the account have failed, from wherever', async () => {
    const { email, password } = await visit(captcha.solve()).signUp();
    for (let n = 0; n < 3; n += 1) expect((await signIn(email, 'guess')).status).toBe(401);
    const asked = await signIn(email, password);
    expect((await errorOf(asked)).code).toBe('captcha_required');
    expect((await signIn(email, 'guess', captcha.solve())).status).toBe(401);
    expect((await signIn(email, password, captcha.solve())).status).toBe(200);
    expect((await signIn(email, password)).status).toBe(200);
  });

  it('needs one after ten tries from a network, at whatever accounts', async () => {
    const address = '198.51.100.77';
    for (let n = 0; n < 10; n += 1)
      expect((await signIn(newAddress(), 'guess', undefined, address)).status).toBe(401);
    expect((await signIn(newAddress(), 'guess', undefined, address)).status).toBe(403);
    expect((await signIn(newAddress(), 'guess')).status).toBe(401);
  });

  it('asks alike for addresses that somebody has and that nobody has', async () => {
    const { email } = await visit(captcha.solve()).signUp();
    const answersOf = async (address: string) => {
      const statuses = [];
      for (let n = 0; n < 5; n += 1) statuses.push((await signIn(address, 'guess')).status);
      return statuses;
    };
    expect(await answersOf(email)).toEqual(await answersOf(newAddress()));
  });
});

it('where none is set, nobody is asked', async () => {
  const plain = await createTestApp({ beside: app });
  await plain.visit().signUp();
  await plain.close();
});
