import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserRecord } from '#contract/accounts.ts';
import { startGoogle } from '#test/accounts/google.ts';
import { turnOnSecondFactor } from '#test/accounts/second-factor.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { startMailbox } from '#test/mailbox.ts';
import { IS_LONG } from '#test/runs.ts';

let google: Awaited<ReturnType<typeof startGoogle>>;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let app: TestApp;
beforeAll(async () => {
  google = await startGoogle();
  mailbox = await startMailbox();
  app = await createTestApp({ env: { ...google.settings, ...mailbox.settings } });
});
afterAll(async () => {
  await app.close();
  await google.close();
  await mailbox.close();
});

let count = 0;
const newEmail = () => {
  count += 1;
  return `google-${count}@gmail.test`;
};
const sql = () => app.database.database.sql;
const readMe = async (client: TestClient) => (await (await client.get('/api/me')).json()) as UserRecord;
const isIn = async (client: TestClient) => (await client.get('/api/me')).status === 200;
const sessionsOf = async (email: string) =>
  (await sql()`select from sessions s join users u on u.id = s.user_id where u.email = ${email}`).count;

describe('signing in with Google', () => {
  it('makes an account with 40 credits, name and verified address, and leads to where the user was going', async () => {
    const client = app.visit({ headers: { 'accept-language': 'en' } });
    const email = newEmail();
    const target = await google.signIn(
      client,
      { email: email.toUpperCase(), name: '林晓雨' },
      { returnTo: '/en/pricing' },
    );
    expect(target).toBe('/en/pricing');
    expect(await readMe(client)).toMatchObject({ email, displayName: '林晓雨', credits: 40, photoURL: null });
    expect(await sql()`select email_verified, language from users where email = ${email}`).toMatchObject([
      { email_verified: true, language: 'en' },
    ]);
  });

  it('leads to the same account again, also after its address has changed at Google or here', async () => {
    const email = newEmail();
    const first = app.visit();
    await google.signIn(first, { email });
    const { uid } = await readMe(first);
    await sql()`update users set email = ${newEmail()} where id = ${uid}`;
    const second = app.visit();
    expect(await google.signIn(second, { email })).toBe('/zh/chat');
    expect((await readMe(second)).uid).toBe(uid);
  });

  it('lasts as long as the user asked for', async () => {
    const client = app.visit();
    const callback = await google.leave(client, { remember: 'false' }, { email: newEmail() });
    const cookies = (await client.get(callback)).headers.getSetCookie();
    expect(cookies.find((one) => one.startsWith('parley.session_token='))).not.toMatch(/max-age|expires/i);
  });

  it('tells a popup how it went, and a page what to say', async () => {
    const newsOf = (location: string) =>
      JSON.parse(decodeURIComponent(new URL(location, app.url).hash.slice(1)));
    const popup = { mode: 'popup', flow: 'f1' };
    expect(newsOf(await google.signIn(app.visit(), { email: newEmail() }, popup))).toEqual({
      flow: 'f1',
      outcome: 'done',
    });
    expect(newsOf(await google.signIn(app.visit(), null, popup))).toEqual({
      flow: 'f1',
      outcome: 'cancelled',
    });
    expect(await google.signIn(app.visit(), null)).toBe('/zh/login?next=%2Fzh%2Fchat');
    const unverified = { email: newEmail(), verified: false };
    expect(await google.signIn(app.visit(), unverified)).toBe(
      '/zh/login?next=%2Fzh%2Fchat&google=unverified',
    );
    expect(await sessionsOf(unverified.email)).toBe(0);
  });

  it('ends a popup on a page whose only script is a file of ours', async () => {
    const response = await app.visit().get('/api/auth/google/done');
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
    const html = await response.text();
    expect(html.match(/<script[^>]*>[^<]*/g)).toEqual(['<script src="/google-done.js">']);
    expect(html).toContain('已完成，可以关闭这个窗口。');
  });

  it.each(['error', 'wrong-nonce', 'bad-signature', 'http-500'] as const)(
    'is refused where Google answers with %s',
    async (fault) => {
      const client = app.visit();
      const email = newEmail();
      await google.fail(fault);
      const query = { purpose: 'sign-up', returnTo: '/en/chat' };
      expect(await google.signIn(client, { email }, query)).toBe(
        '/en/register?next=%2Fen%2Fchat&google=failed',
      );
      expect(await isIn(client)).toBe(false);
      expect(await google.signIn(client, { email }, query)).toBe('/en/chat');
    },
  );

  it.runIf(IS_LONG)('does not wait for Google for long', async () => {
    await google.fail('slow', 30_000);
    expect(await google.signIn(app.visit(), { email: newEmail() })).toMatch(/google=failed$/);
  });

  it('is not offered without a client, nor sent to a Google that is not there', async () => {
    const plain = await createTestApp({ beside: app });
    expect(await (await plain.visit().get('/api/auth/options')).json()).toMatchObject({ google: false });
    expect((await plain.visit().get('/api/auth/google/start?mode=redirect')).status).toBe(404);
    await plain.close();
    const away = await createTestApp({
      beside: app,
      env: { ...google.settings, GOOGLE_ISSUER: 'http://127.0.0.1:9' },
    });
    const response = await away.visit().get('/api/auth/google/start?mode=redirect');
    expect(response.headers.get('location')).toBe('/zh/login?next=%2Fzh%2Fchat&google=failed');
    await away.close();
    expect(await (await app.visit().get('/api/auth/options')).json()).toMatchObject({ google: true });
  });
});

describe('an answer of Google', () => {
  it('is good once: of 50 at the same time one opens a session', async () => {
    const client = app.visit();
    const email = newEmail();
    const callback = await google.leave(client, {}, { email });
    const { cookie } = client;
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.visit({ cookie }).get(callback)));
    const targets = answers.map((one) => one.headers.get('location'));
    expect(targets.filter((target) => target === '/zh/chat')).toHaveLength(1);
    expect(targets.filter((target) => target?.endsWith('google=failed'))).toHaveLength(49);
    expect(await sessionsOf(email)).toBe(1);
  });

  it('is good only in the browser that asked for it, with its own state, and for ten minutes (CVE-2026-45337, GHSA-cq3f-vc6p-68fh)', async () => {
    const client = app.visit();
    const email = newEmail();
    const callback = await google.leave(client, {}, { email });
    const stranger = app.visit();
    await google.leave(stranger, {}, { email: newEmail() });
    expect((await stranger.get(callback)).headers.get('location')).toMatch(/google=failed$/);
    const other = callback.replace(/state=./, (begin) => (begin === 'state=_' ? 'state=-' : 'state=_'));
    expect((await client.get(other)).headers.get('location')).toMatch(/failed$/);
    await sql()`update verifications set expires_at = now() where identifier like 'google:%'`;
    expect((await client.get(callback)).headers.get('location')).toMatch(/google=failed$/);
    expect(await sessionsOf(email)).toBe(0);
  });

  it('of two tabs at once serves both', async () => {
    const client = app.visit();
    const [first, second] = [newEmail(), newEmail()];
    const one = await google.leave(client, {}, { email: first });
    const two = await google.leave(client, {}, { email: second });
    await client.get(one);
    expect((await readMe(client)).email).toBe(first);
    await client.get(two);
    expect((await readMe(client)).email).toBe(second);
  });

  it('asked for again by somebody who is in leads on', async () => {
    const client = app.visit();
    const callback = await google.leave(client, {}, { email: newEmail() });
    await client.get(callback);
    expect((await client.get(callback)).headers.get('location')).toBe('/zh/chat');
  });

  it('is asked for by no page of another site', async () => {
    const response = await app
      .visit()
      .request('/api/auth/google/start?mode=redirect', { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(response.status).toBe(403);
  });

  // GHSA-vp58-j275-797x, CVE-2025-27143, CVE-2024-56734, CVE-2025-53535
  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https:evil.example',
    'https://evil.example/zh',
    '/\t/evil.example',
    '\t//evil.example',
    '/%09/evil.example/..//evil.example',
    'https://parley.example@evil.example',
    '@evil.example',
    '%2F%2Fevil.example',
    '/..//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/zh/login?next=//evil.example',
  ])('leads nobody off the site by %j', async (returnTo) => {
    const target = await google.signIn(app.visit(), { email: newEmail() }, { returnTo });
    const url = new URL(target, app.url);
    expect(url.origin).toBe(app.url);
    expect(target).toMatch(/^\/(?![/\\])/);
  });
});

it('an account with a second factor asks for it after Google too, and Google alone confirms nothing', async () => {
  const email = newEmail();
  const client = app.visit();
  await google.signIn(client, { email });
  const { recoveryCodes } = await turnOnSecondFactor(client, Date.now());
  const before = await sessionsOf(email);
  expect(await google.signIn(client, { email }, { purpose: 'confirm', returnTo: '/profile' })).toBe(
    '/profile/security?google=failed&purpose=confirm',
  );
  const half = app.visit();
  expect(await google.signIn(half, { email }, { returnTo: '/en/pricing' })).toBe(
    '/en/login?next=%2Fen%2Fpricing&google=second_step',
  );
  expect(await isIn(half)).toBe(false);
  expect(await sessionsOf(email)).toBe(before);
  expect(await (await half.get('/api/auth/second-factor')).json()).toMatchObject({ methods: ['code'] });
  const finished = await half.post('/api/auth/second-factor', { code: recoveryCodes[0] });
  expect(finished.status).toBe(200);
  expect((await readMe(half)).email).toBe(email);
});

describe('the ways in of an account', () => {
  const listOf = async (client: TestClient) => {
    const { signIns } = (await (await client.get('/api/me/sign-ins')).json()) as {
      signIns: { id: string | null; provider: string; account: string | null }[];
    };
    return signIns;
  };
  const codeOf = async (response: Response) =>
    ((await response.json()) as { error: { code: string } }).error.code;

  it('are listed, connected and disconnected, but the last one stays', async () => {
    const client = app.visit();
    await client.signUp();
    const email = newEmail();
    expect(await google.signIn(client, { email }, { purpose: 'link', returnTo: '/profile' })).toBe(
      '/profile',
    );
    const [password, connected] = await listOf(client);
    expect(password).toMatchObject({ id: null, provider: 'password' });
    expect(connected).toMatchObject({ provider: 'google', account: email });
    expect((await client.delete(`/api/me/sign-ins/${connected?.id}`)).status).toBe(204);
    expect(await listOf(client)).toHaveLength(1);

    const other = app.visit();
    await google.signIn(other, { email: newEmail() });
    const [only] = await listOf(other);
    expect(await codeOf(await other.delete(`/api/me/sign-ins/${only?.id}`))).toBe('last_sign_in');
    expect(await codeOf(await client.delete(`/api/me/sign-ins/${only?.id}`))).toBe('not_found');
    expect(await listOf(other)).toHaveLength(1);
  });

  it('take no Google account that is somebody else’s', async () => {
    const email = newEmail();
    await google.signIn(app.visit(), { email });
    const client = app.visit();
    await client.signUp();
    expect(await google.signIn(client, { email }, { purpose: 'link', returnTo: '/profile' })).toBe(
      '/profile/security?google=other_account&purpose=link',
    );
    expect(await listOf(client)).toHaveLength(1);
  });

  it('are twenty Google accounts at most', async () => {
    const client = app.visit();
    const { userId } = await client.signUp();
    await sql()`
      insert into identities (id, user_id, provider_id, account_id)
      select gen_random_uuid(), ${userId}, 'google', concat(${userId}::text, n) from generate_series(1, 19) n`;
    const connect = () =>
      google.signIn(client, { email: newEmail() }, { purpose: 'link', returnTo: '/profile' });
    expect(await connect()).toBe('/profile');
    expect(await connect()).toBe('/profile/security?google=failed&purpose=link');
    expect(await listOf(client)).toHaveLength(21);
  });

  it('are changed only after a fresh proof', async () => {
    const client = app.visit();
    const { userId } = await client.signUp();
    await google.signIn(client, { email: newEmail() }, { purpose: 'link' });
    const [, connected] = await listOf(client);
    const link = { purpose: 'link', returnTo: '/profile' };
    const callback = await google.leave(client, link, { email: newEmail() });
    await sql()`update sessions set confirmed_at = now() - interval '11 minutes' where user_id = ${userId}`;
    expect((await client.get(callback)).headers.get('location')).toBe(
      '/profile/security?google=failed&purpose=link',
    );
    expect(await listOf(client)).toHaveLength(2);
    expect(await codeOf(await client.post('/api/me/sign-ins'))).toBe('confirmation_required');
    expect(await codeOf(await client.delete(`/api/me/sign-ins/${connected?.id}`))).toBe(
      'confirmation_required',
    );
    const start = await client.get('/api/auth/google/start?mode=redirect&purpose=link&returnTo=/profile');
    expect(start.headers.get('location')).toBe('/profile/security?google=failed&purpose=link');
  });

  it('include a first password, which then is enough', async () => {
    const client = app.visit();
    const email = newEmail();
    await google.signIn(client, { email });
    const newPassword = 'a first password';
    await sql()`update sessions set confirmed_at = now() - interval '11 minutes' where user_id = (select id from users where email = ${email})`;
    expect(await codeOf(await client.post('/api/me/password', { newPassword }))).toBe(
      'confirmation_required',
    );
    expect(await google.signIn(client, { email: newEmail() }, { purpose: 'confirm' })).toMatch(
      /\/profile\/security\?google=other_account&purpose=confirm$/,
    );
    expect(await codeOf(await client.post('/api/me/password', { newPassword }))).toBe(
      'confirmation_required',
    );
    expect(await google.signIn(client, { email }, { purpose: 'confirm' })).toBe('/zh/chat');
    expect((await client.post('/api/me/password', { newPassword })).status).toBe(204);
    expect(await codeOf(await client.post('/api/me/password', { newPassword: 'another' }))).toBe(
      'invalid_credentials',
    );
    expect((await app.visit().post('/api/auth/sign-in/email', { email, password: newPassword })).status).toBe(
      200,
    );
    expect(await google.signIn(client, { email }, { purpose: 'confirm' })).toMatch(
      /\/profile\/security\?google=failed&purpose=confirm$/,
    );
    const [, connected] = await listOf(client);
    expect((await client.delete(`/api/me/sign-ins/${connected?.id}`)).status).toBe(204);
  });

  it('are linked for whoever began, in the session in which they did', async () => {
    const client = app.visit();
    await client.signUp();
    const callback = await google.leave(
      client,
      { purpose: 'link', returnTo: '/profile' },
      { email: newEmail() },
    );
    const { email, password } = await app.visit().signUp();
    await client.post('/api/auth/sign-in/email', { email, password });
    expect((await client.get(callback)).headers.get('location')).toBe(
      '/profile/security?google=failed&purpose=link',
    );
    expect(await listOf(client)).toHaveLength(1);
  });
});
