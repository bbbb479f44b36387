import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGoogle } from '#test/accounts/google.ts';
import { turnOnSecondFactor } from '#test/accounts/second-factor.ts';
import { VirtualAuthenticator } from '#test/accounts/virtual-authenticator.ts';
import { makeKey } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { startMailbox } from '#test/mailbox.ts';
import { createProof } from '../secrets/hash-proof.ts';
import { insertMailedProof } from '../users/mailed-proof-store.ts';

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

const VERIFY = /\/verify-email#token=([\w-]+)/;
const RESET = /\/reset-password#token=([\w-]+)/;
const CONFIRM = /\/confirm-email#token=([\w-]+)/;
const OLD = 'a password of the stranger';
const NEW = 'a password of the owner';
let count = 0;
const freshEmail = (who: string) => {
  count += 1;
  return `${who}-${count}@mailbox.test`;
};
const sql = () => app.database.database.sql;
const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;
const uidOf = async (client: TestClient) => {
  const response = await client.get('/api/me');
  return response.ok ? ((await response.json()) as { uid: string }).uid : null;
};
const linkOf = async (email: string, link: RegExp, times = 1) => {
  const [mail] = await mailbox.waitFor(email, times, link);
  return link.exec(mail?.text ?? '')?.[1] ?? '';
};
const signIn = async (client: TestClient, email: string, password: string) => {
  const response = await client.post('/api/auth/sign-in/email', { email, password });
  return { status: response.status, body: (await response.json()) as { twoFactor?: boolean } };
};
const requestReset = async (email: string) => {
  const before = (await mailbox.list(email, RESET)).length;
  await app.visit().post('/api/auth/request-password-reset', { email });
  return linkOf(email, RESET, before + 1);
};
const isVerified = async (userId: string) =>
  (await sql()`select from users where id = ${userId} and email_verified`).count > 0;

async function challengeOf(client: TestClient, path: string): Promise<string> {
  return ((await (await client.post(path)).json()) as { challenge: string }).challenge;
}

/** An account that a stranger opened with a person's address, with every way in that one can add. */
async function openedByStranger({ secondFactor = true } = {}) {
  const email = freshEmail('victim');
  const browser = app.visit();
  const { userId } = await browser.signUp({ email, password: OLD });
  const passkey = new VirtualAuthenticator({ origin: app.config.publicUrl });
  const answer = passkey.register(await challengeOf(browser, '/api/me/passkeys/options'));
  expect((await browser.post('/api/me/passkeys', { name: 'Mine', answer })).status).toBe(201);
  const ownGoogle = { email: freshEmail('stranger') };
  await google.signIn(browser, ownGoogle, { purpose: 'link' });
  const { key } = await makeKey(browser);
  const newEmail = freshEmail('elsewhere');
  expect((await browser.post('/api/me/email', { email: newEmail })).status).toBe(202);
  const change = await linkOf(newEmail, CONFIRM);
  if (secondFactor) await turnOnSecondFactor(browser, Date.now());
  const flow = await google.leave(browser, { purpose: 'link' }, { email: freshEmail('stranger') });
  const half = app.visit();
  if (secondFactor) expect((await signIn(half, email, OLD)).body.twoFactor).toBe(true);

  /** The ways by which the stranger still comes in. */
  const openDoors = async (): Promise<string[]> => {
    const doors: string[] = [];
    if ((await uidOf(browser)) !== null) doors.push('session');
    if ((await signIn(app.visit(), email, OLD)).status === 200) doors.push('password');
    const byPasskey = app.visit();
    const challenge = await challengeOf(byPasskey, '/api/auth/passkey/options');
    await byPasskey.post('/api/auth/passkey', { passkey: passkey.answer(challenge) });
    if ((await uidOf(byPasskey)) !== null) doors.push('passkey');
    const byGoogle = app.visit();
    await google.signIn(byGoogle, ownGoogle);
    if ((await uidOf(byGoogle)) === userId) doors.push('Google');
    const asked = await fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    if (asked.ok) doors.push('API key');
    if ((await half.get('/api/auth/second-factor').then((answered) => answered.json())) !== null)
      doors.push('second step');
    const confirmed = await browser.post('/api/auth/confirm-email-change', { token: change, password: OLD });
    if (confirmed.ok) doors.push('change of address');
    await browser.get(flow);
    const linked = await sql()`select from identities where user_id = ${userId} and provider_id = 'google'
      and account_name like 'stranger-%'`;
    if (linked.count > 0) doors.push('connected Google');
    return doors;
  };
  const ways = await sql()`
    select id from passkeys where user_id = ${userId}
    union all select id from identities where user_id = ${userId} and provider_id = 'google'
    union all select id from api_keys where user_id = ${userId}`;
  return { email, userId, browser, openDoors, ways: ways.map(({ id }) => id as string) };
}

describe('of an account that a stranger opened nothing of the stranger’s is left', () => {
  it('once the owner of the mailbox resets the password', async () => {
    const { email, userId, openDoors, ways } = await openedByStranger();
    const token = await requestReset(email);
    const body = { token, newPassword: NEW, keep: ways };
    expect((await app.visit().post('/api/auth/reset-password', body)).status).toBe(200);
    expect(await openDoors()).toEqual([]);
    const owner = app.visit();
    expect(await signIn(owner, email, NEW)).toMatchObject({ status: 200, body: { redirect: false } });
    expect(await uidOf(owner)).toBe(userId);
    await mailbox.waitFor(email, 1, /账号原来的登录方式已作废/);
  });

  it('once the owner of the mailbox comes with Google', async () => {
    const { email, userId, openDoors } = await openedByStranger();
    const reset = await requestReset(email);
    const owner = app.visit();
    expect(await google.signIn(owner, { email })).toBe('/zh/chat');
    expect(await uidOf(owner)).toBe(userId);
    expect(await openDoors()).toEqual([]);
    const late = await app.visit().post('/api/auth/reset-password', { token: reset, newPassword: OLD });
    expect(await codeOf(late)).toBe('reset_link_invalid');
    expect(await uidOf(owner)).toBe(userId);
  });

  it('once the owner of the mailbox says that it was not them', async () => {
    const { email, userId, openDoors } = await openedByStranger();
    const token = await linkOf(email, VERIFY);
    const disown = () => app.visit().post('/api/auth/disown-account', { token });
    const answers = await Promise.all(Array.from({ length: 20 }, disown));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await openDoors()).toEqual([]);
    const reset = await requestReset(email);
    expect(
      (await app.visit().post('/api/auth/reset-password', { token: reset, newPassword: NEW })).status,
    ).toBe(200);
    const owner = app.visit();
    await signIn(owner, email, NEW);
    expect(await uidOf(owner)).toBe(userId);
  });

  it('also what is added at the very moment of the reset', async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = freshEmail('victim');
      const stranger = app.visit();
      const { userId } = await stranger.signUp({ email, password: OLD });
      const { token, hash } = createProof();
      const expiresAt = new Date(Date.now() + 3_600_000);
      const proof = { kind: 'reset-password', hash, userId, sentTo: email, wayId: null, expiresAt } as const;
      expect(await insertMailedProof(sql(), proof)).toBe(true);
      const passkey = new VirtualAuthenticator({ origin: app.config.publicUrl });
      const answer = passkey.register(await challengeOf(stranger, '/api/me/passkeys/options'));
      await Promise.all([
        app.visit().post('/api/auth/reset-password', { token, newPassword: NEW }),
        stranger.post('/api/me/passkeys', { name: 'Mine', answer }),
        signIn(app.visit(), email, OLD),
        signIn(app.visit(), email, OLD),
        stranger.post('/api/keys', { name: 'Mine' }),
      ]);
      const [left] = await sql()`
        select (select count(*)::int from sessions where user_id = ${userId}) as sessions,
               (select count(*)::int from passkeys where user_id = ${userId}) as passkeys,
               (select count(*)::int from api_keys where user_id = ${userId} and revoked_at is null) as keys`;
      expect(left).toEqual({ sessions: 0, passkeys: 0, keys: 0 });
    }
  });
});

describe('the link of a verification mail', () => {
  it('counts for nothing in a browser that is not signed in to the account, and stays good', async () => {
    const { email, userId, browser } = await openedByStranger({ secondFactor: false });
    const token = await linkOf(email, VERIFY);
    const victim = app.visit();
    const other = app.visit();
    await other.signUp();
    for (const client of [victim, other]) {
      const response = await client.post('/api/auth/verify-email', { token });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({
        error: { code: 'link_needs_account', params: { email } },
      });
    }
    expect(await codeOf(await victim.post('/api/auth/verify-email', { token, password: NEW }))).toBe(
      'invalid_credentials',
    );
    expect(await isVerified(userId)).toBe(false);
    await google.signIn(victim, { email });
    expect(await uidOf(victim)).toBe(userId);
    expect(await uidOf(browser)).toBeNull();
    expect((await signIn(app.visit(), email, OLD)).status).toBe(401);
  });

  it('counts with the password of the account, and the browser that signed up stays signed in', async () => {
    const email = freshEmail('owner');
    const laptop = app.visit();
    const { userId } = await laptop.signUp({ email, password: NEW });
    const token = await linkOf(email, VERIFY);
    const phone = app.visit();
    expect((await phone.post('/api/auth/verify-email', { token, password: NEW })).status).toBe(200);
    expect(await isVerified(userId)).toBe(true);
    expect(await uidOf(laptop)).toBe(userId);
    expect(await uidOf(phone)).toBeNull();
  });

  it('takes ten guesses at the password in ten minutes, which count for the link alone', async () => {
    const email = freshEmail('owner');
    await app.visit().signUp({ email, password: NEW });
    const token = await linkOf(email, VERIFY);
    const guess = (password: string) => app.visit().post('/api/auth/verify-email', { token, password });
    for (let tries = 10; tries > 0; tries -= 1) expect((await guess(OLD)).status).toBe(401);
    expect((await guess(NEW)).status).toBe(429);
    expect((await signIn(app.visit(), email, NEW)).status).toBe(200);
  });

  it('in a browser that is signed in keeps what its user has made, and ends other sessions and links', async () => {
    const { email, userId, browser } = await openedByStranger({ secondFactor: false });
    const other = app.visit();
    await signIn(other, email, OLD);
    const reset = await requestReset(email);
    const token = await linkOf(email, VERIFY);
    expect((await browser.post('/api/auth/verify-email', { token })).status).toBe(200);
    expect(await uidOf(browser)).toBe(userId);
    expect(await uidOf(other)).toBeNull();
    const [kept] = await sql()`
      select (select count(*)::int from passkeys where user_id = ${userId}) as passkeys,
             (select count(*)::int from identities where user_id = ${userId}) as identities,
             (select count(*)::int from api_keys where user_id = ${userId} and revoked_at is null) as keys`;
    expect(kept).toEqual({ passkeys: 1, identities: 2, keys: 1 });
    expect(
      await codeOf(await app.visit().post('/api/auth/reset-password', { token: reset, newPassword: NEW })),
    ).toBe('reset_link_invalid');
    expect(await codeOf(await app.visit().post('/api/auth/disown-account', { token }))).toBe(
      'email_already_verified',
    );
  });
});

describe('the link to a new address', () => {
  it('counts only for somebody who is in the account, and whoever has the mailbox may stop the change', async () => {
    const stranger = app.visit();
    const { userId, email } = await stranger.signUp({ email: freshEmail('stranger'), password: OLD });
    const victim = freshEmail('victim');
    expect((await stranger.post('/api/me/email', { email: victim })).status).toBe(202);
    const token = await linkOf(victim, CONFIRM);
    const old = await linkOf(email, CONFIRM);
    expect((await stranger.post('/api/auth/confirm-email-change', { token: old })).status).toBe(200);
    const response = await app.visit().post('/api/auth/confirm-email-change', { token });
    expect(await response.json()).toMatchObject({
      error: { code: 'link_needs_account', params: { email: victim } },
    });
    expect((await app.visit().post('/api/auth/stop-email-change', { token })).status).toBe(204);
    expect(await codeOf(await stranger.post('/api/auth/confirm-email-change', { token }))).toBe(
      'email_link_invalid',
    );
    expect(await sql()`select email from users where id = ${userId}`).toEqual([{ email }]);
  });

  it('counts with the password, and verifies an address that never was', async () => {
    const user = app.visit();
    const { userId, email, password } = await user.signUp({ email: freshEmail('owner') });
    const newEmail = freshEmail('owner');
    await user.post('/api/me/email', { email: newEmail });
    const token = await linkOf(newEmail, CONFIRM);
    const phone = app.visit();
    expect((await phone.post('/api/auth/confirm-email-change', { token, password })).status).toBe(200);
    expect(
      (await user.post('/api/auth/confirm-email-change', { token: await linkOf(email, CONFIRM) })).status,
    ).toBe(200);
    expect(await isVerified(userId)).toBe(true);
    expect(await uidOf(user)).toBe(userId);
  });
});

describe('a Google account whose mailbox is not Google’s', () => {
  const foreign = (email: string) => ({ email, hosted: false });

  it('opens an account whose address is not verified before its mail is answered', async () => {
    const email = freshEmail('foreign');
    const client = app.visit();
    expect(await google.signIn(client, foreign(email))).toBe('/zh/chat');
    const userId = (await uidOf(client)) ?? '';
    expect(await isVerified(userId)).toBe(false);
    const token = await linkOf(email, VERIFY);
    expect((await client.post('/api/auth/verify-email', { token })).status).toBe(200);
    expect(await isVerified(userId)).toBe(true);
  });

  it.each([true, false])(
    'is not linked to an account that has its address, verified or not (%s)',
    async (verified) => {
      const email = freshEmail('foreign');
      const owner = app.visit();
      const { userId, password } = await owner.signUp({ email });
      if (verified) await owner.post('/api/auth/verify-email', { token: await linkOf(email, VERIFY) });
      const stranger = app.visit();
      expect(await google.signIn(stranger, foreign(email))).toBe(
        '/zh/login?next=%2Fzh%2Fchat&google=address_in_use',
      );
      expect(await uidOf(stranger)).toBeNull();
      expect(await uidOf(owner)).toBe(userId);
      expect((await signIn(app.visit(), email, password)).status).toBe(200);
      await google.signIn(owner, foreign(email), { purpose: 'link' });
      const again = app.visit();
      await google.signIn(again, foreign(email));
      expect(await uidOf(again)).toBe(userId);
    },
  );

  it('leaves what it opened to whoever proves the mailbox', async () => {
    const email = freshEmail('foreign');
    const stranger = app.visit();
    await google.signIn(stranger, foreign(email));
    const userId = await uidOf(stranger);
    const token = await requestReset(email);
    await app.visit().post('/api/auth/reset-password', { token, newPassword: NEW });
    expect(await uidOf(stranger)).toBeNull();
    const again = app.visit();
    await google.signIn(again, foreign(email));
    expect(await uidOf(again)).toBeNull();
    const owner = app.visit();
    await signIn(owner, email, NEW);
    expect(await uidOf(owner)).toBe(userId);
  });
});
