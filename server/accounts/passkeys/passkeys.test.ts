import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PasskeyList, passkeyListSchema } from '#contract/accounts/passkeys.ts';
import { codeOf, turnOnSecondFactor } from '#test/accounts/second-factor.ts';
import { cborText, VirtualAuthenticator } from '#test/accounts/virtual-authenticator.ts';
import { createTestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { createMailingApp, type MailingApp } from '#test/mailbox.ts';

let app: MailingApp;
beforeAll(async () => {
  app = await createMailingApp();
});
afterAll(() => app.close());

const PASSWORD = 'correct horse';
const origin = () => app.config.publicUrl;
const sqlOf = () => app.database.database.sql;
const statusOfMe = async (client: TestClient) => (await client.get('/api/me')).status;
const codeOfError = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;
const confirmedLongAgo = (userId: string) =>
  sqlOf()`update sessions set confirmed_at = to_timestamp(0) where user_id = ${userId}`;
const passkeysOf = async (client: TestClient) =>
  ((await (await client.get('/api/me/passkeys')).json()) as PasskeyList).passkeys;
const sessionsOf = async (userId: string) =>
  (await sqlOf()`select from sessions where user_id = ${userId}`).count;

async function challengeOf(client: TestClient, path: string): Promise<string> {
  const response = await client.post(path);
  expect(response.status).toBe(200);
  return ((await response.json()) as { challenge: string }).challenge;
}

async function add(client: TestClient, key: VirtualAuthenticator, name = 'My laptop') {
  const answer = key.register(await challengeOf(client, '/api/me/passkeys/options'));
  return client.post('/api/me/passkeys', { name, answer });
}

/** A user with a passkey, signed in. */
async function withPasskey() {
  const client = app.visit();
  const account = await client.signUp({ password: PASSWORD });
  const key = new VirtualAuthenticator({ origin: origin() });
  expect((await add(client, key)).status).toBe(201);
  return { client, key, ...account };
}

async function signIn(key: VirtualAuthenticator, flags: Parameters<VirtualAuthenticator['answer']>[1] = {}) {
  const client = app.visit();
  const challenge = await challengeOf(client, '/api/auth/passkey/options');
  const response = await client.post('/api/auth/passkey', { passkey: key.answer(challenge, flags) });
  return { client, response };
}

describe('a passkey', () => {
  it('is added after a fresh proof, is in the list, and the user is told', async () => {
    const client = app.visit({ headers: { 'accept-language': 'en' } });
    const { email, userId } = await client.signUp();
    const key = new VirtualAuthenticator({ origin: origin() });
    await confirmedLongAgo(userId);
    expect(await codeOfError(await client.post('/api/me/passkeys/options'))).toBe('confirmation_required');
    await client.post('/api/me/confirm', { password: PASSWORD });
    const answer = key.register(await challengeOf(client, '/api/me/passkeys/options'));
    await confirmedLongAgo(userId);
    expect(await codeOfError(await client.post('/api/me/passkeys', { name: 'x', answer }))).toBe(
      'confirmation_required',
    );
    await client.post('/api/me/confirm', { password: PASSWORD });
    await app.database.database.sql`update users set email_verified = true where id = ${userId}`;
    const added = await client.post('/api/me/passkeys', { name: ' My\u0000 laptop ', answer });
    expect(added.status).toBe(201);
    const passkeys = await passkeysOf(client);
    expect(passkeyListSchema.parse({ passkeys })).toEqual({ passkeys });
    expect(passkeys).toEqual([await added.json()]);
    expect(passkeys[0]).toMatchObject({ name: 'My laptop', synced: false, usedAt: null });
    const [mail] = await app.mailbox.waitFor(email, 1, /passkey/);
    expect(mail?.text).toContain('“My laptop”');
  });

  it('signs in whoever holds it, with both factors at once', async () => {
    const { client: first, key, email } = await withPasskey();
    await turnOnSecondFactor(first, Date.now());
    const { client, response } = await signIn(key);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ user: { email } });
    expect(await statusOfMe(client)).toBe(200);
    expect((await client.post('/api/me/second-factor/recovery-codes')).status).toBe(201);
    expect((await passkeysOf(client))[0]?.usedAt).toBeGreaterThan(0);
  });

  it('that does not say who holds it opens nothing', async () => {
    const { key, userId } = await withPasskey();
    const before = await sessionsOf(userId);
    const { client, response } = await signIn(key, { verified: false });
    expect(response.status).toBe(401);
    expect(await codeOfError(response)).toBe('passkey_refused');
    expect(await statusOfMe(client)).toBe(401);
    expect(await sessionsOf(userId)).toBe(before);
  });

  it('is the second step after the password, even where it does not say who holds it', async () => {
    const { client: first, key, email } = await withPasskey();
    await turnOnSecondFactor(first, Date.now());
    const client = app.visit();
    const half = await client.post('/api/auth/sign-in/email', { email, password: PASSWORD });
    expect(await half.json()).toEqual({ twoFactor: true, methods: ['code', 'passkey'] });
    const challenge = await challengeOf(client, '/api/auth/second-factor/passkey');
    const passkey = key.answer(challenge, { verified: false });
    expect((await client.post('/api/auth/second-factor', { passkey })).status).toBe(200);
    expect(await statusOfMe(client)).toBe(200);
  });

  it('of another user is no second step, and its challenge opens no other door', async () => {
    const { client: first, email, key } = await withPasskey();
    await turnOnSecondFactor(first, Date.now());
    const { key: foreign } = await withPasskey();
    const client = app.visit();
    await client.post('/api/auth/sign-in/email', { email, password: PASSWORD });
    const challenge = await challengeOf(client, '/api/auth/second-factor/passkey');
    const attempt = await client.post('/api/auth/second-factor', { passkey: foreign.answer(challenge) });
    expect(await codeOfError(attempt)).toBe('passkey_refused');
    await challengeOf(client, '/api/auth/passkey/options');
    const across = await client.post('/api/auth/passkey', { passkey: key.answer(challenge) });
    expect(await codeOfError(across)).toBe('passkey_refused');
  });

  it('is a fresh proof of its user at this session alone', async () => {
    const { client, key, userId, email } = await withPasskey();
    const other = app.visit();
    await other.post('/api/auth/sign-in/email', { email, password: PASSWORD });
    await confirmedLongAgo(userId);
    expect(await (await client.get('/api/me/confirm')).json()).toEqual({ methods: ['password', 'passkey'] });
    const challenge = await challengeOf(client, '/api/me/confirm/passkey');
    const stolen = await other.post('/api/me/confirm', { passkey: key.answer(challenge) });
    expect(await codeOfError(stolen)).toBe('passkey_refused');
    const next = await challengeOf(client, '/api/me/confirm/passkey');
    expect((await client.post('/api/me/confirm', { passkey: key.answer(next) })).status).toBe(204);
    expect((await client.post('/api/me/passkeys/options')).status).toBe(200);
    expect((await other.post('/api/me/passkeys/options')).status).toBe(403);
  });

  it('is refused when its counter stands still or goes back, as that of a copy would', async () => {
    const { key } = await withPasskey();
    expect((await signIn(key, { counter: 10 })).response.status).toBe(200);
    expect((await signIn(key, { counter: 10 })).response.status).toBe(401);
    expect((await signIn(key, { counter: 9 })).response.status).toBe(401);
    expect((await signIn(key, { counter: 11 })).response.status).toBe(200);
  });

  it('that counts nothing is good any number of times', async () => {
    const client = app.visit();
    await client.signUp();
    const key = new VirtualAuthenticator({ origin: origin() });
    const challenge = await challengeOf(client, '/api/me/passkeys/options');
    const answer = key.register(challenge, { counter: 0 });
    expect((await client.post('/api/me/passkeys', { name: 'Synced', answer })).status).toBe(201);
    for (let times = 2; times > 0; times -= 1)
      expect((await signIn(key, { counter: 0 })).response.status).toBe(200);
  });

  it('is refused from another site, for another domain, or for a challenge that was not given', async () => {
    const client = app.visit();
    await client.signUp();
    for (const place of [{ origin: 'https://evil.example' }, { origin: origin(), rpId: 'evil.example' }]) {
      const response = await add(client, new VirtualAuthenticator(place));
      expect(await codeOfError(response)).toBe('passkey_refused');
    }
    const key = new VirtualAuthenticator({ origin: origin() });
    const answer = key.register('bm90IGdpdmVu');
    expect(await codeOfError(await client.post('/api/me/passkeys', { name: 'x', answer }))).toBe(
      'passkey_refused',
    );
    expect(await passkeysOf(client)).toEqual([]);
  });

  it('with a certificate nobody asked for is refused, so that nothing it names is fetched', async () => {
    const client = app.visit();
    await client.signUp();
    const key = new VirtualAuthenticator({ origin: origin() });
    const challenge = await challengeOf(client, '/api/me/passkeys/options');
    for (const name of ['android-key', 'fido-u2f', 'apple']) {
      const format = Buffer.concat([
        cborText('fmt'),
        cborText(name),
        cborText('attStmt'),
        Buffer.from([0xa0]),
      ]);
      const answer = key.register(challenge, { format });
      expect(await codeOfError(await client.post('/api/me/passkeys', { name: 'x', answer }))).toBe(
        'passkey_refused',
      );
    }
  });

  it('can be added once, by one user', async () => {
    const { client, key } = await withPasskey();
    expect(await codeOfError(await add(client, key))).toBe('passkey_taken');
    const neighbour = app.visit();
    await neighbour.signUp();
    expect(await codeOfError(await add(neighbour, key))).toBe('passkey_taken');
    expect(await passkeysOf(neighbour)).toEqual([]);
  });

  it('GHSA-4vcf-q4xf-f48m: is renamed and deleted by its user alone, after a fresh proof', async () => {
    const { client, key, userId } = await withPasskey();
    const { client: neighbour } = await withPasskey();
    const path = `/api/me/passkeys/${(await passkeysOf(client))[0]?.id}`;
    expect((await neighbour.delete(path)).status).toBe(404);
    expect((await neighbour.patch(path, { name: 'Mine now' })).status).toBe(404);
    expect(await passkeysOf(client)).toMatchObject([{ name: 'My laptop' }]);
    expect((await client.patch(path, { name: '工作电脑' })).status).toBe(204);
    expect(await passkeysOf(client)).toMatchObject([{ name: '工作电脑' }]);
    expect((await client.patch(path, { name: '  ' })).status).toBe(422);
    await confirmedLongAgo(userId);
    expect(await codeOfError(await client.delete(path))).toBe('confirmation_required');
    await client.post('/api/me/confirm', { password: PASSWORD });
    expect((await client.delete(path)).status).toBe(204);
    expect((await client.delete(path)).status).toBe(404);
    expect((await client.delete('/api/me/passkeys/nonsense')).status).toBe(404);
    expect((await signIn(key)).response.status).toBe(401);
  });
});

it('of 50 parallel uses of one challenge one opens a session', async () => {
  const { key, userId } = await withPasskey();
  const before = await sessionsOf(userId);
  const client = app.visit();
  const challenge = await challengeOf(client, '/api/auth/passkey/options');
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      app
        .visit({ cookie: client.cookie })
        .post('/api/auth/passkey', { passkey: key.answer(challenge, { counter: 100 + index }) }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await sessionsOf(userId)).toBe(before + 1);
});

it('a challenge is good in the browser that asked, for five minutes, and the table does not hold it', async () => {
  const { key } = await withPasskey();
  const client = app.visit();
  const challenge = await challengeOf(client, '/api/auth/passkey/options');
  const stored = await sqlOf()`select from passkey_challenges c where c::text like ${`%${challenge}%`}`;
  expect(stored).toHaveLength(0);
  const stranger = app.visit();
  await challengeOf(stranger, '/api/auth/passkey/options');
  for (const other of [stranger, app.visit()]) {
    const attempt = await other.post('/api/auth/passkey', { passkey: key.answer(challenge) });
    expect(await codeOfError(attempt)).toBe('passkey_refused');
  }
  await sqlOf()`update passkey_challenges set expires_at = expires_at - interval '5 minutes' where purpose = 'sign_in'`;
  const late = await client.post('/api/auth/passkey', { passkey: key.answer(challenge) });
  expect(await codeOfError(late)).toBe('passkey_refused');
});

it('CVE-2026-32879: what asks for a fresh proof refuses a direct call without one, whatever door it comes by', async () => {
  const { client, userId } = await withPasskey();
  const { secret } = await turnOnSecondFactor(client, Date.now());
  const id = (await passkeysOf(client))[0]?.id;
  await confirmedLongAgo(userId);
  const calls: [method: string, path: string, body?: unknown][] = [
    ['POST', '/api/me/passkeys/options'],
    [
      'POST',
      '/api/me/passkeys',
      { name: 'x', answer: new VirtualAuthenticator({ origin: origin() }).register('x') },
    ],
    ['DELETE', `/api/me/passkeys/${id}`],
    ['POST', '/api/me/second-factor/enrolment'],
    ['POST', '/api/me/second-factor', { code: codeOf(secret, Date.now()) }],
    ['POST', '/api/me/second-factor/recovery-codes'],
    ['DELETE', '/api/me/second-factor'],
  ];
  for (const [method, path, body] of calls) {
    const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await client.request(path, { method, ...(body ? json : {}) });
    expect(await codeOfError(response), path).toBe('confirmation_required');
  }
});

it('where the address is an IP there are no passkeys, and the answer says which setting is at fault', async () => {
  const bare = await createTestApp({ beside: app, env: { PUBLIC_URL: 'http://127.0.0.1:9' } });
  const response = await bare.visit({ origin: 'http://127.0.0.1:9' }).post('/api/auth/passkey/options');
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    error: { code: 'not_configured', params: { setting: 'PUBLIC_URL' } },
  });
  await bare.close();
});

it('asking for challenges is limited by network', async () => {
  const limited = await createTestApp({ beside: app, env: { SIGN_IN_LIMIT: '3' } });
  const statuses: number[] = [];
  await sqlOf()`delete from rate_limits where key like 'passkey:%'`;
  for (let left = 4; left > 0; left -= 1)
    statuses.push(
      (await limited.visit({ origin: limited.config.publicUrl }).post('/api/auth/passkey/options')).status,
    );
  expect(statuses).toEqual([200, 200, 200, 429]);
  await limited.close();
});

it('nonsense instead of an answer is refused with a sentence, and the server lives', async () => {
  const { client, key } = await withPasskey();
  const visitor = app.visit();
  await challengeOf(visitor, '/api/auth/passkey/options');
  for (const body of [{}, null, [], 1, { passkey: {} }, { passkey: { ...key.answer('x'), response: {} } }])
    expect((await visitor.post('/api/auth/passkey', body)).status).toBe(422);
  for (const id of ['\0', '../../x', '\ud800', "'; --"]) {
    const passkey = { ...key.answer('x'), id, rawId: id };
    expect((await visitor.post('/api/auth/passkey', { passkey })).status).toBe(422);
    expect((await client.post('/api/me/confirm', { passkey })).status).toBe(422);
  }
  const empty = { clientDataJSON: '', authenticatorData: '', signature: '' };
  for (const response of [empty, { ...empty, clientDataJSON: 'bnVsbA' }, { ...empty, clientDataJSON: 'e30' }])
    expect(
      (await visitor.post('/api/auth/passkey', { passkey: { ...key.answer('x'), response } })).status,
    ).toBe(401);
  const odd = { ...key.register('x'), response: { clientDataJSON: 'e30', attestationObject: 'gA' } };
  expect((await client.post('/api/me/passkeys', { name: 'x', answer: odd })).status).toBe(401);
  expect(await statusOfMe(client)).toBe(200);
});
