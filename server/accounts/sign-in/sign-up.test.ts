import { verify } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserRecord } from '#contract/accounts.ts';
import { userRecordSchema } from '#contract/accounts.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { createTestApp, SAFE_HASHING, type TestApp } from '#test/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: SAFE_HASHING });
});
afterAll(() => app.close());

const sql = () => app.database.database.sql;
const register = (body: unknown, headers: Record<string, string> = {}) =>
  app.visit({ headers }).post('/api/auth/sign-up/email', body);
const codeOf = async (response: Response) => ((await response.json()) as ErrorBody).error.code;
const countOf = async (email: string) => {
  const [row] = await sql()`
    select count(*)::int as users, coalesce(sum((select count(*) from credit.bucket b where b.user_id = u.id)), 0)::int as grants
      from users u where email = ${email}`;
  return row;
};

describe('a sign-up', () => {
  it('makes the user record with 40 credits and signs the browser in', async () => {
    const before = Date.now();
    const client = app.visit();
    const { userId, email } = await client.signUp({ email: 'First.Person@Example.Test' });
    const me = (await (await client.get('/api/me')).json()) as UserRecord;
    expect(userRecordSchema.parse(me)).toEqual(me);
    expect(me).toMatchObject({
      uid: userId,
      email: email.toLowerCase(),
      displayName: 'first.person',
      photoURL: null,
      credits: 40,
      subscription: null,
    });
    expect(me.createdAt).toBeGreaterThanOrEqual(before - 1000);
    expect(me.lastLoginAt).toBeGreaterThanOrEqual(me.createdAt);
    expect(await countOf('first.person@example.test')).toEqual({ users: 1, grants: 1 });
  });

  it('takes a name of any script, without control characters, marks of direction and lone surrogates', async () => {
    const client = app.visit();
    const name = '  对谈\0\u202e\u001b \ud83d 🙂 ';
    const response = await client.post('/api/auth/sign-up/email', {
      email: 'n@example.test',
      password: '123456',
      name,
    });
    expect(response.status).toBe(200);
    expect((await (await client.get('/api/me')).json()) as UserRecord).toMatchObject({
      displayName: '对谈 \ufffd 🙂',
    });
  });

  it('twenty at once for one address make one user and one grant; the others are told it is taken', async () => {
    const email = 'race@example.test';
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => register({ email, password: 'correct horse' })),
    );
    const codes = await Promise.all(answers.filter((one) => !one.ok).map(codeOf));
    expect(codes).toEqual(new Array(19).fill('email_taken'));
    expect(await countOf(email)).toEqual({ users: 1, grants: 1 });
    expect(
      await sql()`select from identities i join users u on u.id = i.user_id where u.email = ${email}`,
    ).toHaveLength(1);
  });

  it('is the same on PostgreSQL 15', async () => {
    const older = await createTestApp({ version: 15 });
    const account = { email: 'older@example.test', password: 'correct horse' };
    const answers = await Promise.all(
      [1, 2, 3].map(() => older.visit().post('/api/auth/sign-up/email', account)),
    );
    expect(answers.map((one) => one.status).sort()).toEqual([200, 422, 422]);
    const client = older.visit();
    expect((await client.post('/api/auth/sign-in/email', account)).status).toBe(200);
    expect((await (await client.get('/api/me')).json()) as UserRecord).toMatchObject({ credits: 40 });
    await older.close();
  });

  it('leaves no user behind when the credits cannot be granted', async () => {
    const email = 'nobody@example.test';
    await sql()`create function refuse_grant() returns trigger language plpgsql as
      $$ begin raise exception 'no grant today'; end $$`;
    await sql()`create trigger refuse_grant before insert on credit.bucket for each row execute function refuse_grant()`;
    const response = await register({ email, password: 'correct horse' });
    await sql()`drop trigger refuse_grant on credit.bucket`;
    expect(response.status).toBe(500);
    expect(await codeOf(response)).toBe('internal');
    expect(await countOf(email)).toEqual({ users: 0, grants: 0 });
    expect((await register({ email, password: 'correct horse' })).status).toBe(200);
    expect(await countOf(email)).toEqual({ users: 1, grants: 1 });
  });

  it('stores the password as argon2id with the costs of OWASP', async () => {
    const { userId } = await app.visit().signUp({ password: 'Grüße 你好 🙂' });
    const [row] = await sql()<
      { password: string }[]
    >`select password from identities where user_id = ${userId}`;
    expect(row?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verify(row?.password ?? '', 'Grüße 你好 🙂')).toBe(true);
  });
});

describe('a refused sign-up', () => {
  it.each([
    [{ password: '12345' }, 422, 'password_too_short', '密码长度至少为6位'],
    [{ password: '' }, 422, 'password_too_short', '密码长度至少为6位'],
    [{ password: 'x'.repeat(129) }, 422, 'password_too_long', null],
    [{ email: 'someone' }, 422, 'email_invalid', null],
    [{ email: '' }, 422, 'email_invalid', null],
    [{ email: 'a@b.c\0' }, 422, 'email_invalid', null],
    [{ email: `${'a'.repeat(250)}@example.test` }, 422, 'email_invalid', null],
    [{ email: 42 }, 422, 'invalid_request', null],
    [{ password: ['123456'] }, 422, 'invalid_request', null],
    [{ emailVerified: true }, 422, 'invalid_request', null],
    [{ credits: 1_000_000 }, 422, 'invalid_request', null],
  ])('%j answers %i %s', async (wrong, status, code, text) => {
    const response = await register({ email: 'refused@example.test', password: 'correct horse', ...wrong });
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as ErrorBody;
    expect(error.code).toBe(code);
    if (text) expect(error.message).toBe(text);
    if (code === 'invalid_request') expect(Object.keys(wrong)).toContain(error.params.field);
    expect(await countOf('refused@example.test')).toEqual({ users: 0, grants: 0 });
  });

  it.each([6, 7, 64, 128])(
    'is not one with a password of %i characters, blanks in front included',
    async (length) => {
      const password = ` ${'好'.repeat(length - 1)}`;
      const client = app.visit();
      const { email } = await client.signUp({ password });
      expect((await client.post('/api/auth/sign-in/email', { email, password })).status).toBe(200);
      expect(
        (await client.post('/api/auth/sign-in/email', { email, password: password.trim() })).status,
      ).toBe(401);
    },
  );

  it('says in the language of the caller that an address is taken, however it is written', async () => {
    const { email } = await app.visit().signUp();
    const body = { email: email.toUpperCase(), password: 'correct horse' };
    const chinese = (await (await register(body)).json()) as ErrorBody;
    expect(chinese.error).toEqual({ code: 'email_taken', message: '该邮箱已被注册', params: {} });
    const english = (await (
      await register(body, { 'accept-language': 'en-GB,zh;q=0.5' })
    ).json()) as ErrorBody;
    expect(english.error.message).toBe('This email address is already registered');
    const byCookie = (await (
      await register(body, { cookie: 'lang=en', 'accept-language': 'zh' })
    ).json()) as ErrorBody;
    expect(byCookie.error.message).toBe('This email address is already registered');
  });
});

describe('many sign-ups from one network', () => {
  it('are limited, whatever address the caller claims', async () => {
    const limited = await createTestApp({ beside: app, env: { SIGN_UP_LIMIT: '2', TRUST_PROXY: '1' } });
    const from = (address: string) => limited.visit({ headers: { 'x-forwarded-for': address } });
    for (const spoof of ['1.1.1.1', '2.2.2.2']) await from(`${spoof}, 203.0.113.7`).signUp();
    const refused = await from('3.3.3.3, 203.0.113.7').post('/api/auth/sign-up/email', {
      email: 'third@example.test',
      password: 'correct horse',
    });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
    await from('2001:db8:1:2:aaaa::1').signUp();
    await from('2001:DB8:1:2:bbbb:0:0:2').signUp();
    await expect(from('2001:db8:1:2:cccc::3').signUp()).rejects.toThrow('429');
    await from('2001:db8:1:3::1').signUp();
    await limited.close();
  });
});

it('no answer to a sign-up, a sign-in or a look at the session carries its token', async () => {
  const client = app.visit({ headers: { 'accept-language': 'en' } });
  const credentials = { email: 'token@example.test', password: 'correct horse' };
  const answers = [
    await client.post('/api/auth/sign-up/email', credentials),
    await client.post('/api/auth/sign-in/email', credentials),
    await client.get('/api/auth/get-session'),
  ];
  const tokens = await sql()`
    select token from sessions where user_id = (select id from users where email = ${credentials.email})`;
  for (const answer of answers) {
    const text = await answer.text();
    expect(text).toContain(credentials.email);
    for (const { token } of tokens) expect(text).not.toContain(token);
  }
  expect(await sql()`select language from users where email = ${credentials.email}`).toMatchObject([
    { language: 'en' },
  ]);
});
