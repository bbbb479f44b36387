import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SecondFactor, secondFactorSchema } from '#contract/accounts/second-factor.ts';
import { codeOf, turnOnSecondFactor } from '#test/accounts/second-factor.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { startMailbox } from '#test/mailbox.ts';

let app: TestApp;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
const clock = new FakeClock();
beforeAll(async () => {
  mailbox = await startMailbox();
  app = await createTestApp({ clock, env: mailbox.settings });
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
});

const PASSWORD = 'correct horse';
const STEP = 30_000;
const now = () => clock.now().getTime();
const pass = (ms: number) => clock.moveTo(now() + ms);

/** A user whose second factor is on, at the browser where it was turned on. */
async function enrolled(headers: Record<string, string> = {}) {
  const client = app.visit({ headers });
  const account = await client.signUp({ password: PASSWORD });
  const factor = await turnOnSecondFactor(client, now());
  pass(STEP);
  return { client, ...account, ...factor };
}

/** A browser that gave the right password. */
async function halfSignedIn(email: string, rememberMe = true) {
  const client = app.visit();
  const response = await client.post('/api/auth/sign-in/email', { email, password: PASSWORD, rememberMe });
  return { client, response, body: (await response.clone().json()) as object };
}

const finish = (client: TestClient, code: string) => client.post('/api/auth/second-factor', { code });
const statusOfMe = async (client: TestClient) => (await client.get('/api/me')).status;
const errorOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error;
const codeOfError = async (response: Response) => (await errorOf(response)).code;
const factorOf = async (client: TestClient) =>
  (await (await client.get('/api/me/second-factor')).json()) as SecondFactor;
const confirmedLongAgo = (userId: string) =>
  app.database.database.sql`update sessions set confirmed_at = to_timestamp(0) where user_id = ${userId}`;
const sessionsOf = async (userId: string) =>
  (await app.database.database.sql`select from sessions where user_id = ${userId}`).count;

/** The `Set-Cookie` of a name; fails without one. */
function cookieOf(response: Response, name: string): string {
  const cookie = response.headers.getSetCookie().find((one) => one.startsWith(`${name}=`));
  expect(cookie).toBeDefined();
  return cookie ?? '';
}

it('counts for nothing until a code has shown that the app has it, and then asks at the next sign-in', async () => {
  const client = app.visit();
  const { email } = await client.signUp({ password: PASSWORD });
  const started = await client.post('/api/me/second-factor/enrolment');
  expect(started.status).toBe(201);
  const { secret, url } = (await started.json()) as { secret: string; url: string };
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(url).toContain(`secret=${secret}`);
  expect(url).toContain(encodeURIComponent(email));
  expect((await halfSignedIn(email)).body).toMatchObject({ user: { email } });
  const wrong = codeOf(secret, now() + 10 * STEP);
  expect(await codeOfError(await client.post('/api/me/second-factor', { code: wrong }))).toBe('code_invalid');
  expect(await factorOf(client)).toEqual({ on: false, since: null, recoveryCodesLeft: 0 });
  const code = codeOf(secret, now());
  const finished = await client.post('/api/me/second-factor', {
    code: `${code.slice(0, 3)} ${code.slice(3)}`,
  });
  expect(finished.status).toBe(201);
  const { recoveryCodes } = (await finished.json()) as { recoveryCodes: string[] };
  expect(new Set(recoveryCodes).size).toBe(10);
  for (const one of recoveryCodes) expect(one).toMatch(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/);
  const state = await factorOf(client);
  expect(secondFactorSchema.parse(state)).toEqual(state);
  expect(state).toMatchObject({ on: true, recoveryCodesLeft: 10 });
  expect((await halfSignedIn(email)).body).toEqual({ twoFactor: true, methods: ['code'] });
});

it('the database holds neither the secret nor a recovery code', async () => {
  const { userId, secret, recoveryCodes } = await enrolled();
  const { sql } = app.database.database;
  const rows = await sql`
    select f::text as factor, (select string_agg(r::text, ' ') from recovery_codes r where r.user_id = f.user_id) as codes
      from second_factors f where user_id = ${userId}`;
  const stored = JSON.stringify(rows);
  expect(stored).not.toContain(secret);
  for (const one of recoveryCodes) {
    const plain = one.replace('-', '');
    for (const form of [one, plain, Buffer.from(plain).toString('hex')]) expect(stored).not.toContain(form);
  }
});

it('a code signs in, remembers as the password step was told, and the step is over', async () => {
  const { email, secret } = await enrolled();
  const { client, response } = await halfSignedIn(email, false);
  expect(cookieOf(response, 'parley.second_step')).toMatch(/; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(response.headers.getSetCookie().join()).not.toContain('session_token');
  expect(await (await client.get('/api/auth/second-factor')).json()).toEqual({
    twoFactor: true,
    methods: ['code'],
  });
  const done = await finish(client, codeOf(secret, now()));
  expect(await done.json()).toMatchObject({ user: { email } });
  expect(cookieOf(done, 'parley.session_token')).not.toContain('Max-Age');
  expect(cookieOf(done, 'parley.second_step')).toContain('Max-Age=0');
  expect(await statusOfMe(client)).toBe(200);
  expect(await (await client.get('/api/auth/second-factor')).json()).toBeNull();
});

it('a code is good once, and one of an earlier time is not good after it', async () => {
  const { email, secret, client: first } = await enrolled();
  const code = codeOf(secret, now());
  expect((await finish((await halfSignedIn(email)).client, code)).status).toBe(200);
  expect(await codeOfError(await finish((await halfSignedIn(email)).client, code))).toBe('code_invalid');
  const before = codeOf(secret, now() - STEP);
  expect(await codeOfError(await finish((await halfSignedIn(email)).client, before))).toBe('code_invalid');
  expect(await codeOfError(await first.post('/api/me/confirm', { code }))).toBe('code_invalid');
  pass(STEP);
  const next = await halfSignedIn(email);
  expect((await finish(next.client, codeOf(secret, now()))).status).toBe(200);
});

it('a clock that is half a minute off is forgiven, one that is further off is not', async () => {
  const { email, secret } = await enrolled();
  pass(5 * STEP);
  for (const steps of [-2, 2]) {
    const { client } = await halfSignedIn(email);
    expect((await finish(client, codeOf(secret, now() + steps * STEP))).status).toBe(422);
  }
  for (const steps of [-1, 1]) {
    const { client } = await halfSignedIn(email);
    expect((await finish(client, codeOf(secret, now() + steps * STEP))).status).toBe(200);
  }
});

it('a recovery code signs in once, however it is written, and the user is told', async () => {
  const { email, recoveryCodes, client: first } = await enrolled({ 'accept-language': 'en' });
  const typed = (recoveryCodes[3] ?? '').toLowerCase().replace('-', ' ');
  const { client } = await halfSignedIn(email);
  expect((await finish(client, typed)).status).toBe(200);
  expect(await statusOfMe(client)).toBe(200);
  expect((await factorOf(first)).recoveryCodesLeft).toBe(9);
  expect(await codeOfError(await finish((await halfSignedIn(email)).client, typed))).toBe('code_invalid');
  const mails = await mailbox.waitFor(email, 2, /recovery|Two-step/);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'A recovery code was used',
    'Two-step verification is on',
  ]);
  expect(mails[0]?.text).toContain('9 codes are left');
});

it('five wrong codes end the step, and what is left is said', async () => {
  const { email, secret } = await enrolled();
  const { client } = await halfSignedIn(email);
  const left: unknown[] = [];
  for (let tries = 4; tries > 0; tries -= 1) {
    const { code, params } = (await errorOf(await finish(client, '000000'))) as never as {
      code: string;
      params: { left: number };
    };
    expect(code).toBe('code_invalid');
    left.push(params.left);
  }
  expect(left).toEqual([4, 3, 2, 1]);
  expect(await codeOfError(await finish(client, '000000'))).toBe('second_step_over');
  expect(await codeOfError(await finish(client, codeOf(secret, now())))).toBe('second_step_over');
});

it('guesses are limited for the account, over any number of sign-ins and a restart', async () => {
  const { email, userId, secret } = await enrolled();
  const guess = async () => finish((await halfSignedIn(email)).client, '000000');
  for (let tries = 10; tries > 0; tries -= 1) expect((await guess()).status).toBe(422);
  expect((await guess()).status).toBe(429);
  const restarted = await createTestApp({ beside: app, clock });
  const client = restarted.visit();
  await client.post('/api/auth/sign-in/email', { email, password: PASSWORD });
  expect((await finish(client, codeOf(secret, now()))).status).toBe(429);
  await restarted.close();
  for (let quarter = 4; quarter > 0; quarter -= 1) {
    pass(901_000);
    for (let tries = 10; tries > 0; tries -= 1) await guess();
  }
  pass(901_000);
  const refused = await finish((await halfSignedIn(email)).client, codeOf(secret, now()));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3600);
  const { sql } = app.database.database;
  await sql`delete from rate_limits where key like ${`code:${userId}%`}`;
  expect((await finish((await halfSignedIn(email)).client, codeOf(secret, now()))).status).toBe(200);
});

it('a step lasts ten minutes, and ends with the password it began with', async () => {
  const { email, secret, client } = await enrolled();
  const late = await halfSignedIn(email);
  pass(601_000);
  expect(await codeOfError(await finish(late.client, codeOf(secret, now())))).toBe('second_step_over');
  const stopped = await halfSignedIn(email);
  pass(STEP);
  await client.post('/api/me/confirm', { code: codeOf(secret, now()) });
  const changed = { currentPassword: PASSWORD, newPassword: 'another password' };
  expect((await client.post('/api/me/password', changed)).status).toBe(204);
  pass(STEP);
  expect(await codeOfError(await finish(stopped.client, codeOf(secret, now())))).toBe('second_step_over');
});

it('GHSA-xg6x-h9c9-2m83: the password alone opens nothing, whatever is made of the cookie of the step', async () => {
  const { email, userId } = await enrolled();
  const before = await sessionsOf(userId);
  const { client } = await halfSignedIn(email);
  expect(await statusOfMe(client)).toBe(401);
  expect((await client.get('/api/sessions')).status).toBe(401);
  expect(await (await client.get('/api/auth/get-session')).json()).toBeNull();
  const value = client.cookie.replace('parley.second_step=', '');
  for (const name of ['parley.session_token', '__Host-parley.session_token'])
    expect(await statusOfMe(app.visit({ cookie: `${name}=${value}` }))).toBe(401);
  expect(await sessionsOf(userId)).toBe(before);
});

it('a code without the step of this browser opens nothing', async () => {
  const { email, secret } = await enrolled();
  await halfSignedIn(email);
  const stranger = app.visit();
  expect(await codeOfError(await finish(stranger, codeOf(secret, now())))).toBe('second_step_over');
  const forged = app.visit({
    cookie: `parley.second_step=${encodeURIComponent(`${'a'.repeat(43)}.${'b'.repeat(43)}=`)}`,
  });
  expect(await codeOfError(await finish(forged, codeOf(secret, now())))).toBe('second_step_over');
});

it('of 50 parallel redemptions of one step by one code, one opens a session', async () => {
  const { email, userId, secret } = await enrolled();
  const { sql } = app.database.database;
  const before = await sessionsOf(userId);
  const { client } = await halfSignedIn(email);
  const code = codeOf(secret, now());
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => finish(app.visit({ cookie: client.cookie }), code)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await sessionsOf(userId)).toBe(before + 1);
  await sql`delete from rate_limits where key like ${`code:${userId}%`}`;
});

it('of 50 steps that are given the same code at once, one opens a session; the same of a recovery code', async () => {
  const { email, userId, secret, recoveryCodes } = await enrolled();
  const { sql } = app.database.database;
  const steps: TestClient[] = [];
  for (let left = 50; left > 0; left -= 1) steps.push((await halfSignedIn(email)).client);
  const noLimit = () => sql`
    insert into rate_limits (key, count, started_at) values (${`code:${userId}:strangers`}, -1000, ${clock.now()}), (${`code:${userId}:strangers:day`}, -1000, ${clock.now()})
    on conflict (key) do update set count = excluded.count, started_at = excluded.started_at`;
  for (const code of [codeOf(secret, now()), recoveryCodes[0] ?? '']) {
    const before = await sessionsOf(userId);
    await noLimit();
    const answers = await Promise.all(steps.map((step) => finish(app.visit({ cookie: step.cookie }), code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sessionsOf(userId)).toBe(before + 1);
  }
});

it('CVE-2026-54036, CVE-2026-54040: neither another app nor new recovery codes nor off without a fresh code', async () => {
  const { client, userId, secret, recoveryCodes } = await enrolled();
  const acts = [
    () => client.post('/api/me/second-factor/enrolment'),
    () => client.post('/api/me/second-factor', { code: codeOf(secret, now()) }),
    () => client.post('/api/me/second-factor/recovery-codes'),
    () => client.delete('/api/me/second-factor'),
  ];
  await confirmedLongAgo(userId);
  for (const act of acts) {
    const response = await act();
    expect(response.status).toBe(403);
    expect(await codeOfError(response)).toBe('confirmation_required');
  }
  expect(await codeOfError(await client.post('/api/me/confirm', { password: PASSWORD }))).toBe(
    'confirmation_required',
  );
  expect((await client.post('/api/me/second-factor/recovery-codes')).status).toBe(403);
  expect(await (await client.get('/api/me/confirm')).json()).toEqual({ methods: ['code'] });
  expect((await client.post('/api/me/confirm', { code: recoveryCodes[0] })).status).toBe(204);
  const renewed = await client.post('/api/me/second-factor/recovery-codes');
  expect(renewed.status).toBe(201);
  const fresh = ((await renewed.json()) as { recoveryCodes: string[] }).recoveryCodes;
  expect(await codeOfError(await client.post('/api/me/confirm', { code: recoveryCodes[1] }))).toBe(
    'code_invalid',
  );
  expect((await client.post('/api/me/confirm', { code: fresh[1] })).status).toBe(204);
});

it('moving to another app ends the codes of the one before', async () => {
  const { client, email, secret, recoveryCodes } = await enrolled();
  const next = await turnOnSecondFactor(client, now());
  pass(STEP);
  for (const old of [codeOf(secret, now()), recoveryCodes[0] ?? ''])
    expect(await codeOfError(await finish((await halfSignedIn(email)).client, old))).toBe('code_invalid');
  expect((await finish((await halfSignedIn(email)).client, codeOf(next.secret, now()))).status).toBe(200);
});

it('turned off, the password is enough again, the codes are gone, and the user is told', async () => {
  const { client, email, userId } = await enrolled({ 'accept-language': 'zh' });
  expect((await client.delete('/api/me/second-factor')).status).toBe(204);
  expect((await client.delete('/api/me/second-factor')).status).toBe(204);
  expect((await halfSignedIn(email)).body).toMatchObject({ user: { email } });
  const { sql } = app.database.database;
  expect(await sql`select from recovery_codes where user_id = ${userId}`).toHaveLength(0);
  expect(await codeOfError(await client.post('/api/me/second-factor/recovery-codes'))).toBe('conflict');
  const mails = await mailbox.waitFor(email, 2, /两步验证/);
  expect(mails.map(({ subject }) => subject)).toEqual(['两步验证已关闭', '两步验证已开启']);
});

it('an enrolment lasts half an hour, and of 10 parallel ends of it one succeeds', async () => {
  const client = app.visit();
  await client.signUp({ password: PASSWORD });
  const start = async () =>
    ((await (await client.post('/api/me/second-factor/enrolment')).json()) as { secret: string }).secret;
  const late = await start();
  pass(1_801_000);
  await client.post('/api/me/confirm', { password: PASSWORD });
  expect(await codeOfError(await client.post('/api/me/second-factor', { code: codeOf(late, now()) }))).toBe(
    'conflict',
  );
  const secret = await start();
  const code = codeOf(secret, now());
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => client.post('/api/me/second-factor', { code })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect((await factorOf(client)).recoveryCodesLeft).toBe(10);
});

it('a reset of the password by mail does not switch it off where the mailbox was proved before', async () => {
  const { email, secret, userId } = await enrolled();
  await app.database.database.sql`update users set email_verified = true where id = ${userId}`;
  await app.visit().post('/api/auth/request-password-reset', { email });
  const [mail] = await mailbox.waitFor(email, 1, /reset-password#/);
  const token = /reset-password#token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
  await app.visit().post('/api/auth/reset-password', { token, newPassword: 'a new password' });
  const client = app.visit();
  const response = await client.post('/api/auth/sign-in/email', { email, password: 'a new password' });
  expect(await response.json()).toEqual({ twoFactor: true, methods: ['code'] });
  expect((await finish(client, codeOf(secret, now()))).status).toBe(200);
});

it('with another secret of the server the app’s codes are no good any more, but recovery codes are', async () => {
  const { email, secret, recoveryCodes } = await enrolled();
  const moved = await createTestApp({
    beside: app,
    clock,
    env: { AUTH_SECRET: 'another secret of the server, 32 characters' },
  });
  const sign = async (code: string) => {
    const client = moved.visit();
    await client.post('/api/auth/sign-in/email', { email, password: PASSWORD });
    return finish(client, code);
  };
  expect(await codeOfError(await sign(codeOf(secret, now())))).toBe('code_invalid');
  expect((await sign(recoveryCodes[0] ?? '')).status).toBe(200);
  await moved.close();
});

it('every door of it is closed to visitors, and nonsense is refused with a sentence', async () => {
  const visitor = app.visit();
  for (const path of ['', '/enrolment', '/recovery-codes'])
    expect((await visitor.post(`/api/me/second-factor${path}`, { code: '000000' })).status).toBe(401);
  expect((await visitor.get('/api/me/second-factor')).status).toBe(401);
  expect((await visitor.delete('/api/me/second-factor')).status).toBe(401);
  const { email, client } = await enrolled();
  const half = await halfSignedIn(email);
  for (const body of [
    {},
    null,
    [],
    1,
    { code: 1 },
    { code: '000000', userId: 'x' },
    { code: 'x'.repeat(101) },
  ]) {
    expect((await half.client.post('/api/auth/second-factor', body)).status).toBe(422);
    expect((await client.post('/api/me/second-factor', body)).status).toBe(422);
    expect((await client.post('/api/me/confirm', body)).status).toBe(422);
  }
});
