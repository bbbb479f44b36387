import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DisownedNotice, MAX_WAYS, type NoticeOffer, type ResetOffer } from '#contract/accounts.ts';
import { DAY_MS } from '#contract/time.ts';
import { startGoogle } from '#test/accounts/google.ts';
import { codeOf as appCode, turnOnSecondFactor } from '#test/accounts/second-factor.ts';
import { VirtualAuthenticator } from '#test/accounts/virtual-authenticator.ts';
import { makeKey } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { startMailbox } from '#test/mailbox.ts';

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

const NOT_ME = /\/not-me#token=([\w-]+)/;
const RESET = /\/reset-password#token=([\w-]+)/;
const STOLEN = 'a stolen password';
const NEW = 'a new password';
const sql = () => app.database.database.sql;
const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;
const isIn = async (client: TestClient) => (await client.get('/api/me')).status === 200;

/** An account with a proved mailbox, and a thief who signed in with its password. */
async function robbed() {
  const owner = app.visit({ headers: { 'accept-language': 'en' } });
  const { email, userId } = await owner.signUp({ password: STOLEN });
  await owner.patch('/api/me', { language: 'en' });
  await sql()`update users set email_verified = true where id = ${userId}`;
  const thief = app.visit();
  expect((await thief.post('/api/auth/sign-in/email', { email, password: STOLEN })).status).toBe(200);
  return { owner, thief, email, userId };
}

const tokenOf = async (email: string, subject: RegExp, link = NOT_ME) => {
  const [mail] = await mailbox.waitFor(email, 1, subject);
  const token = link.exec(mail?.text ?? '')?.[1];
  expect(token, mail?.text).toBeDefined();
  return token ?? '';
};
const ask = (token: string) => app.visit().post('/api/auth/disown-notice/offer', { token });
const offerOf = async (token: string) => (await (await ask(token)).json()) as NoticeOffer;
const disown = (token: string) => app.visit().post('/api/auth/disown-notice', { token });
const reset = (token: string, keep?: string[]) =>
  app.visit().post('/api/auth/reset-password', { token, newPassword: NEW, ...(keep ? { keep } : {}) });

async function addPasskey(client: TestClient, name: string) {
  const passkey = new VirtualAuthenticator({ origin: app.config.publicUrl });
  const { challenge } = (await (await client.post('/api/me/passkeys/options')).json()) as {
    challenge: string;
  };
  const response = await client.post('/api/me/passkeys', { name, answer: passkey.register(challenge) });
  expect(response.status).toBe(201);
  return { id: ((await response.json()) as { id: string }).id, passkey };
}

async function opens(passkey: VirtualAuthenticator) {
  const client = app.visit();
  const { challenge } = (await (await client.post('/api/auth/passkey/options')).json()) as {
    challenge: string;
  };
  return (await client.post('/api/auth/passkey', { passkey: passkey.answer(challenge) })).ok;
}

const works = async (key: string) =>
  (await fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).ok;

async function ownerGetsIn(email: string) {
  const client = app.visit();
  const response = await client.post('/api/auth/sign-in/email', { email, password: NEW });
  expect(response.status).toBe(200);
  expect(await isIn(client)).toBe(true);
}

describe('“this was not me”, of the notice of', () => {
  it('a passkey: it goes with the password and whoever is in, and a new password follows', async () => {
    const { owner, thief, email } = await robbed();
    const { passkey } = await addPasskey(thief, 'Thief');
    const token = await tokenOf(email, /^A passkey was added$/);
    expect(await offerOf(token)).toEqual({
      email,
      named: { kind: 'passkey', name: 'Thief' },
      everything: false,
      secondFactorStays: false,
    });
    const { resetToken } = (await (await disown(token)).json()) as DisownedNotice;
    expect(await isIn(thief)).toBe(false);
    expect(await isIn(owner)).toBe(false);
    expect(await opens(passkey)).toBe(false);
    expect((await app.visit().post('/api/auth/sign-in/email', { email, password: STOLEN })).status).toBe(401);
    expect((await reset(resetToken)).status).toBe(200);
    await ownerGetsIn(email);
  });

  it('a second factor: it goes, and the owner gets in without it', async () => {
    const { thief, email } = await robbed();
    await turnOnSecondFactor(thief, Date.now());
    const token = await tokenOf(email, /^Two-step verification is on$/);
    expect(await offerOf(token)).toMatchObject({ named: { kind: 'second_factor' } });
    const { resetToken } = (await (await disown(token)).json()) as DisownedNotice;
    await reset(resetToken);
    await ownerGetsIn(email);
    const [off] = await mailbox.waitFor(email, 1, /^Two-step verification is off$/);
    expect(off?.text).not.toMatch(/password .*enough/);
  });

  it('a second factor that moved to another app meanwhile: it is the same one, and goes', async () => {
    const { thief, email, userId } = await robbed();
    const { secret } = await turnOnSecondFactor(thief, Date.now());
    const token = await tokenOf(email, /^Two-step verification is on$/);
    await sql()`update second_factors set totp_counter = 0 where user_id = ${userId}`;
    await thief.post('/api/me/confirm', { code: appCode(secret, Date.now()) });
    await turnOnSecondFactor(thief, Date.now());
    const { resetToken } = (await (await disown(token)).json()) as DisownedNotice;
    await reset(resetToken);
    await ownerGetsIn(email);
  });

  it('a Google account or an API key: they go', async () => {
    const { thief, email, userId } = await robbed();
    await google.signIn(thief, { email: `thief-${userId}@gmail.com` }, { purpose: 'link' });
    const { key } = await makeKey(thief);
    const ofGoogle = await tokenOf(email, /^A Google account was connected$/);
    const ofKey = await tokenOf(email, /^An API key was created$/);
    expect((await disown(ofGoogle)).status).toBe(200);
    const left = await sql()`select from identities where user_id = ${userId}`;
    expect(left.count).toBe(0);
    expect(await works(key)).toBe(true);
    expect((await disown(ofKey)).status).toBe(200);
    expect(await works(key)).toBe(false);
  });

  it('a new sign-in or a changed password: whoever is in is out, with the links that lead in', async () => {
    const { thief, email } = await robbed();
    await app.visit().post('/api/auth/request-password-reset', { email });
    const earlier = await tokenOf(email, /重置你的密码|Reset your password/, RESET);
    await thief.post('/api/me/password', {
      currentPassword: STOLEN,
      newPassword: 'the password of the thief',
    });
    const token = await tokenOf(email, /^Your password was changed$/);
    expect(await offerOf(token)).toMatchObject({ named: null });
    const { resetToken } = (await (await disown(token)).json()) as DisownedNotice;
    expect(await isIn(thief)).toBe(false);
    expect(await codeOf(await reset(earlier))).toBe('reset_link_invalid');
    await reset(resetToken);
    await ownerGetsIn(email);
  });
});

it('a second factor that stood before stays on, whatever a notice says of its move to another app', async () => {
  const { owner, email, userId } = await robbed();
  const { secret } = await turnOnSecondFactor(owner, Date.now());
  await tokenOf(email, /^Two-step verification is on$/);
  await sql()`update second_factors set totp_counter = 0 where user_id = ${userId}`;
  expect((await owner.post('/api/me/confirm', { code: appCode(secret, Date.now()) })).status).toBe(204);
  await turnOnSecondFactor(owner, Date.now());
  const token = await tokenOf(email, /^Your authenticator was changed$/);
  expect(await offerOf(token)).toMatchObject({ named: null, secondFactorStays: true });
  const { resetToken } = (await (await disown(token)).json()) as DisownedNotice;
  await reset(resetToken);
  const signedIn = await app.visit().post('/api/auth/sign-in/email', { email, password: NEW });
  expect(await signedIn.json()).toMatchObject({ twoFactor: true });
});

it('the browsers of the thief are news again, and no longer trusted', async () => {
  const { thief, email, userId } = await robbed();
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/141.0' };
  const back = app.visit({ headers: agent, cookie: thief.cookie });
  expect((await back.post('/api/auth/sign-in/email', { email, password: STOLEN })).status).toBe(200);
  await addPasskey(back, 'Thief');
  const { resetToken } = (await (
    await disown(await tokenOf(email, /^A passkey was added$/))
  ).json()) as DisownedNotice;
  expect((await sql()`select from known_devices where user_id = ${userId}`).count).toBe(0);
  expect((await sql()`select from trusted_browsers where user_id = ${userId}`).count).toBe(0);
  await reset(resetToken);
  await ownerGetsIn(email);
  const before = (await mailbox.list(email, /^New login/)).length;
  const knows = app.visit({ headers: agent, cookie: back.cookie });
  expect((await knows.post('/api/auth/sign-in/email', { email, password: NEW })).status).toBe(200);
  await mailbox.waitFor(email, before + 1, /^New login/);
});

it('a second factor that the notice is not about stays on', async () => {
  const { owner, email, userId } = await robbed();
  const { secret } = await turnOnSecondFactor(owner, Date.now());
  await addPasskey(owner, 'Mine');
  const token = await tokenOf(email, /^A passkey was added$/);
  expect(await offerOf(token)).toMatchObject({ secondFactorStays: true });
  const { resetToken } = (await (await disown(token)).json()) as DisownedNotice;
  await reset(resetToken);
  const client = app.visit();
  const signedIn = await client.post('/api/auth/sign-in/email', { email, password: NEW });
  expect(await signedIn.json()).toMatchObject({ twoFactor: true });
  await sql()`update second_factors set totp_counter = 0 where user_id = ${userId}`;
  expect((await client.post('/api/auth/second-factor', { code: appCode(secret, Date.now()) })).status).toBe(
    200,
  );
});

it('of 50 parallel uses of one link of a notice one succeeds, and it is good for 14 days', async () => {
  const { thief, email } = await robbed();
  await addPasskey(thief, 'One');
  const token = await tokenOf(email, /^A passkey was added$/);
  const [row] = await sql()<{ at: Date }[]>`
    select expires_at as at from verifications where identifier like 'not-me:%' order by expires_at desc limit 1`;
  expect(Math.round(((row?.at.getTime() ?? 0) - Date.now()) / DAY_MS)).toBe(14);
  const answers = await Promise.all(Array.from({ length: 50 }, () => disown(token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = answers.find(({ status }) => status !== 200);
  expect(refused && (await codeOf(refused))).toBe('email_link_invalid');
  expect(await codeOf(await ask(token))).toBe('email_link_invalid');
});

it('of an account whose mailbox nobody had proved everything goes', async () => {
  const opener = app.visit();
  const { email, userId } = await opener.signUp({ password: STOLEN });
  await opener.patch('/api/me', { language: 'en' });
  await turnOnSecondFactor(opener, Date.now());
  const { passkey } = await addPasskey(opener, 'Opener');
  const { key } = await makeKey(opener);
  const token = await tokenOf(email, /^An API key was created$/);
  expect(await offerOf(token)).toMatchObject({ everything: true });
  const { resetToken } = (await (await disown(token)).json()) as DisownedNotice;
  expect(await opens(passkey)).toBe(false);
  expect(await works(key)).toBe(false);
  expect((await sql()`select from second_factors where user_id = ${userId}`).count).toBe(0);
  await reset(resetToken);
  await ownerGetsIn(email);
});

describe('a reset', () => {
  it('lists what else opens the account, the newest as such, and ends what is not kept', async () => {
    const { owner, email, userId } = await robbed();
    const old = await addPasskey(owner, 'Old phone');
    await sql()`update passkeys set created_at = now() - interval '31 days' where id = ${old.id}`;
    const added = await addPasskey(owner, 'New phone');
    await google.signIn(owner, { email: `me-${userId}@gmail.com` }, { purpose: 'link' });
    const { id, key } = await makeKey(owner);
    await app.visit().post('/api/auth/request-password-reset', { email });
    const token = await tokenOf(email, /重置你的密码|Reset your password/, RESET);
    const asked = await app.visit().post('/api/auth/reset-password/offer', { token });
    const { ways, secondFactorSince } = (await asked.json()) as ResetOffer;
    expect(secondFactorSince).toBeNull();
    expect(ways.map(({ kind, name, recent }) => [kind, name, recent])).toEqual([
      ['api_key', 'My script', true],
      ['google', `me-${userId}@gmail.com`, true],
      ['passkey', 'New phone', true],
      ['passkey', 'Old phone', false],
    ]);
    expect((await reset(token, [old.id, id])).status).toBe(200);
    expect(await opens(old.passkey)).toBe(true);
    expect(await opens(added.passkey)).toBe(false);
    expect(await works(key)).toBe(true);
    expect(
      (await sql()`select from identities where user_id = ${userId} and provider_id = 'google'`).count,
    ).toBe(0);
  });

  it('may keep as many ways in as there can be', async () => {
    const { owner, email } = await robbed();
    const { id, key } = await makeKey(owner);
    await app.visit().post('/api/auth/request-password-reset', { email });
    const token = await tokenOf(email, /重置你的密码|Reset your password/, RESET);
    const others = Array.from({ length: MAX_WAYS - 1 }, () => randomUUID());
    expect((await reset(token, [...others, id])).status).toBe(200);
    expect(await works(key)).toBe(true);
  });

  it('keeps nothing by the id of another’s way in', async () => {
    const mine = await robbed();
    const other = await robbed();
    const { id } = await makeKey(other.owner);
    const { key } = await makeKey(mine.owner);
    await app.visit().post('/api/auth/request-password-reset', { email: mine.email });
    const token = await tokenOf(mine.email, /重置你的密码|Reset your password/, RESET);
    expect((await reset(token, [id])).status).toBe(200);
    expect(await works(key)).toBe(false);
  });
});
