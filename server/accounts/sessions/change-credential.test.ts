import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGoogle } from '#test/accounts/google.ts';
import { codeOf as appCodeOf, turnOnSecondFactor } from '#test/accounts/second-factor.ts';
import { VirtualAuthenticator } from '#test/accounts/virtual-authenticator.ts';
import { makeKey } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { send } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { openEvents } from '#test/events.ts';
import { insertSession } from '#test/factories.ts';
import { startMailbox } from '#test/mailbox.ts';
import { IS_LONG } from '#test/runs.ts';
import { createProof } from '../secrets/hash-proof.ts';
import { sessionCookieName } from '../secrets/session-cookie.ts';
import { insertMailedProof } from '../users/mailed-proof-store.ts';

let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let google: Awaited<ReturnType<typeof startGoogle>>;
let app: TestApp;
let beside: TestApp;
beforeAll(async () => {
  mailbox = await startMailbox();
  google = await startGoogle();
  app = await createTestApp({ env: { ...mailbox.settings, ...google.settings } });
  beside = await createTestApp({ beside: app });
});
afterAll(async () => {
  await beside.close();
  await app.close();
  await google.close();
  await mailbox.close();
});

const RESET = /\/reset-password#token=([\w-]+)/;
const CONFIRM = /\/confirm-email#token=([\w-]+)/;
const PASSWORD = 'the old password';
const NEW = 'the new password';
const sql = () => app.database.database.sql;
const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;
const isIn = async (client: TestClient) => (await client.get('/api/me')).status === 200;
const longAgo = (userId: string) =>
  sql()`update sessions set confirmed_at = to_timestamp(0) where user_id = ${userId}`;

async function requestReset(email: string): Promise<string> {
  const before = (await mailbox.list(email, RESET)).length;
  await app.visit().post('/api/auth/request-password-reset', { email });
  const [mail] = await mailbox.waitFor(email, before + 1, RESET);
  return RESET.exec(mail?.text ?? '')?.[1] ?? '';
}

async function signIn(email: string, password = PASSWORD, at: TestApp = app): Promise<TestClient> {
  const client = at.visit();
  const response = await client.post('/api/auth/sign-in/email', { email, password });
  expect(response.status).toBe(200);
  return client;
}

/** A user with a proved mailbox. */
async function register() {
  const client = app.visit();
  const account = await client.signUp({ password: PASSWORD });
  await sql()`update users set email_verified = true where id = ${account.userId}`;
  return { client, ...account };
}

async function addPasskey(
  client: TestClient,
  key = new VirtualAuthenticator({ origin: app.config.publicUrl }),
) {
  const { challenge } = (await (await client.post('/api/me/passkeys/options')).json()) as {
    challenge: string;
  };
  const response = await client.post('/api/me/passkeys', { name: 'Mine', answer: key.register(challenge) });
  expect(response.status).toBe(201);
  return (await response.json()) as { id: string };
}

/** Connects a Google account with an address of its own to the account that a client is in. */
async function connectGoogle(client: TestClient) {
  const choice = { email: `google-${crypto.randomUUID()}@gmail.test` };
  const query = { purpose: 'link', returnTo: '/profile' };
  expect(await google.signIn(client, choice, query)).toBe('/profile');
}

async function disconnectGoogle(client: TestClient) {
  const { signIns } = (await (await client.get('/api/me/sign-ins')).json()) as {
    signIns: { id: string | null }[];
  };
  const id = signIns.find((each) => each.id !== null)?.id;
  expect((await client.delete(`/api/me/sign-ins/${id}`)).status).toBe(204);
}

/** Asks for another address, and opens the links in both mailboxes. */
async function changeAddress(client: TestClient) {
  const { email } = (await (await client.get('/api/me')).json()) as { email: string };
  const newEmail = `moved-${crypto.randomUUID()}@example.test`;
  expect((await client.post('/api/me/email', { email: newEmail })).status).toBe(202);
  for (const [address, changed] of [
    [email, false],
    [newEmail, true],
  ] as const) {
    const [mail] = await mailbox.waitFor(address, 1, CONFIRM);
    const token = CONFIRM.exec(mail?.text ?? '')?.[1] ?? '';
    const response = await client.post('/api/auth/confirm-email-change', { token });
    expect(await response.json()).toMatchObject({ changed });
  }
}

type Change = (client: TestClient) => Promise<unknown>;
const changes: [what: string, prepare: Change, change: Change][] = [
  [
    'the password',
    async () => {},
    (client) => client.post('/api/me/password', { currentPassword: PASSWORD, newPassword: NEW }),
  ],
  ['the second factor, on', async () => {}, (client) => turnOnSecondFactor(client, Date.now())],
  [
    'the second factor, off',
    (client) => turnOnSecondFactor(client, Date.now()),
    (client) => client.delete('/api/me/second-factor'),
  ],
  [
    'the recovery codes',
    (client) => turnOnSecondFactor(client, Date.now()),
    (client) => client.post('/api/me/second-factor/recovery-codes'),
  ],
  ['the passkeys, by one more', async () => {}, (client) => addPasskey(client)],
  [
    'the passkeys, by one less',
    async (client) => addPasskey(client),
    async (client) => {
      const { passkeys } = (await (await client.get('/api/me/passkeys')).json()) as {
        passkeys: { id: string }[];
      };
      await client.delete(`/api/me/passkeys/${passkeys[0]?.id}`);
    },
  ],
  ['the Google accounts, by one more', async () => {}, connectGoogle],
  ['the Google accounts, by one less', connectGoogle, disconnectGoogle],
  ['the address', async () => {}, changeAddress],
];

describe('whoever changes', () => {
  it.each(changes)(
    '%s ends other sessions, their streams and earlier reset links',
    async (_, prepare, change) => {
      const { client, userId } = await register();
      await prepare(client);
      const other = await plantSession(userId);
      const reset = await plantResetLink(userId);
      const sent = await send(other, { content: '/emulate never-ends' });
      const streams = [
        await openEvents(other, `/api/messages/${sent.id}/events`),
        await openEvents(beside.visit({ cookie: other.cookie }), `/api/messages/${sent.id}/events`),
        await openEvents(other, '/api/live'),
      ];
      const own = await openEvents(client, `/api/messages/${sent.id}/events`);
      await change(client);
      for (const stream of streams) await stream.ended;
      expect(await isIn(other)).toBe(false);
      expect(await isIn(client)).toBe(true);
      expect(own.received.some(({ event }) => event === 'end')).toBe(false);
      await client.post(`/api/messages/${sent.id}/stop`);
      await own.next(({ event }) => event === 'end');
      const answer = await app.visit().post('/api/auth/reset-password', { token: reset, newPassword: NEW });
      expect(await codeOf(answer)).toBe('reset_link_invalid');
    },
  );
});

/** A reset link of a user, as its mail carries it. */
async function plantResetLink(userId: string): Promise<string> {
  const { token, hash } = createProof();
  const [user] = await sql()<{ email: string }[]>`select email from users where id = ${userId}`;
  const expiresAt = new Date(Date.now() + 3_600_000);
  const proof = {
    kind: 'reset-password',
    hash,
    userId,
    sentTo: user?.email ?? '',
    wayId: null,
    expiresAt,
  } as const;
  expect(await insertMailedProof(sql(), proof)).toBe(true);
  return token;
}

/** Another browser of a user, whatever second factor is on. */
async function plantSession(userId: string): Promise<TestClient> {
  const { cookieValue } = await insertSession(sql(), userId, app.config.authSecret);
  return app.visit({ cookie: `${sessionCookieName(app.config.publicUrl)}=${cookieValue}` });
}

describe('the stream of an answer', () => {
  it.each<[string, (browser: TestClient, elsewhere: TestClient) => Promise<unknown>]>([
    ['signing out', (browser) => browser.post('/api/auth/sign-out', {})],
    ['signing out everywhere else', (_, elsewhere) => elsewhere.delete('/api/sessions')],
    [
      'the end of that session by another',
      async (_, elsewhere) => {
        const { sessions } = (await (await elsewhere.get('/api/sessions')).json()) as {
          sessions: { id: string; current: boolean }[];
        };
        await elsewhere.delete(`/api/sessions/${sessions.find(({ current }) => !current)?.id}`);
      },
    ],
  ])('ends by %s, in every process, and the answer goes on', async (_, end) => {
    const { client: elsewhere, email } = await register();
    const browser = await signIn(email);
    const id = crypto.randomUUID();
    const body = {
      id,
      conversationId: crypto.randomUUID(),
      parentId: null,
      model: 'parley-flash',
      content: '/emulate never-ends',
    };
    const sent = await openEvents(browser, '/api/messages', { body });
    const followed = await openEvents(beside.visit({ cookie: browser.cookie }), `/api/messages/${id}/events`);
    const kept = await openEvents(elsewhere, `/api/messages/${id}/events`);
    await end(browser, elsewhere);
    await sent.ended;
    await followed.ended;
    expect([...sent.received, ...followed.received].some(({ event }) => event === 'end')).toBe(false);
    await elsewhere.post(`/api/messages/${id}/stop`);
    await kept.next(({ event }) => event === 'end');
  });

  it.runIf(IS_LONG)('ends where the session is gone and nobody said so', async () => {
    const { client, userId } = await register();
    const sent = await send(client, { content: '/emulate never-ends' });
    const stream = await openEvents(client, `/api/messages/${sent.id}/events`);
    await sql()`delete from sessions where user_id = ${userId}`;
    await stream.ended;
    expect(stream.received.some(({ event }) => event === 'end')).toBe(false);
  });
});

describe('a reset', () => {
  const works = async (key: string) =>
    (await fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).ok;

  it.each([
    ['nothing', false],
    ['an empty list', false],
    ['it', true],
  ])('told to keep %s leaves an API key good: %s', async (keeps, isKept) => {
    const { client, email } = await register();
    const { id, key } = await makeKey(client);
    const token = await requestReset(email);
    const offer = await app.visit().post('/api/auth/reset-password/offer', { token });
    expect(await offer.json()).toMatchObject({ ways: [{ id, kind: 'api_key', recent: true }] });
    const keep = keeps === 'it' ? [id] : [];
    const body = { token, newPassword: NEW, ...(keeps === 'nothing' ? {} : { keep }) };
    expect((await app.visit().post('/api/auth/reset-password', body)).status).toBe(200);
    expect(await works(key)).toBe(isKept);
    const late = await app.visit().post('/api/auth/reset-password/offer', { token });
    expect(await codeOf(late)).toBe('reset_link_invalid');
  });

  it('offers to keep no key that was made before anybody proved the mailbox', async () => {
    const client = app.visit();
    const { email } = await client.signUp();
    await makeKey(client);
    const token = await requestReset(email);
    const offer = await app.visit().post('/api/auth/reset-password/offer', { token });
    expect(await offer.json()).toEqual({ ways: [], secondFactorSince: null, everything: true });
  });

  it('stops what runs by a key that it ends', async () => {
    const { client, email } = await register();
    const { key } = await makeKey(client);
    const token = await requestReset(email);
    const running = fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'parley-flash',
        messages: [{ role: 'user', content: '/emulate slow-first-token ms=20000' }],
      }),
    });
    await expect
      .poll(async () => JSON.stringify(await app.gemini.requests()))
      .toContain('slow-first-token ms=20000');
    await app.visit().post('/api/auth/reset-password', { token, newPassword: NEW });
    expect((await running).status).toBe(409);
  });
});

describe('the password', () => {
  it('is not changed by the old one alone where a second factor is on', async () => {
    const { client, email, userId } = await register();
    const { secret } = await turnOnSecondFactor(client, Date.now());
    await longAgo(userId);
    const change = () => client.post('/api/me/password', { currentPassword: PASSWORD, newPassword: NEW });
    expect(await codeOf(await change())).toBe('confirmation_required');
    expect(
      (await client.post('/api/me/confirm', { code: appCodeOf(secret, Date.now() + 30_000) })).status,
    ).toBe(204);
    expect((await change()).status).toBe(204);
    await signIn(email, NEW);
  });
});

describe('a session confirmed again', () => {
  it('has another token: the former one opens nothing, in any process, and the streams go on', async () => {
    const { client } = await register();
    const former = client.cookie;
    const old = [app.visit({ cookie: former }), beside.visit({ cookie: former })];
    for (const each of old) expect(await isIn(each)).toBe(true);
    const live = await openEvents(client, '/api/live');
    expect((await client.post('/api/me/confirm', { password: PASSWORD })).status).toBe(204);
    expect(client.cookie).not.toBe(former);
    expect(await isIn(client)).toBe(true);
    expect(await isIn(app.visit({ cookie: former }))).toBe(false);
    await expect.poll(() => isIn(beside.visit({ cookie: former })), { timeout: 4_000 }).toBe(false);
    expect(live.received.some(({ event }) => event === 'signed_out')).toBe(false);
    live.close();
  });

  it('lasts as long as before, and goes with the browser where it was to', async () => {
    for (const rememberMe of [true, false]) {
      const client = app.visit();
      await client.signUp({ password: PASSWORD, rememberMe });
      const response = await client.post('/api/me/confirm', { password: PASSWORD });
      const age = /Max-Age=(\d+)/.exec(response.headers.get('set-cookie') ?? '')?.[1];
      if (rememberMe) expect(Number(age)).toBeGreaterThan(30 * 86_400 - 60);
      else expect(age).toBeUndefined();
    }
  });
});
