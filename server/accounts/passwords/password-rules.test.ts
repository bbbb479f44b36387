import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { createTestApp, type TestApp } from '#test/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const signIn = (email: string, password: string) =>
  app.visit().post('/api/auth/sign-in/email', { email, password });
const codeOf = async (response: Response) => ((await response.json()) as ErrorBody).error.code;

describe('a password', () => {
  it.each([
    ['of 6 characters', 'x7kq2m'],
    ['of 64 characters', 'a'.repeat(63).concat('b')],
    ['of 128 characters', 'a'.repeat(127).concat('b')],
    ['of emoji', '🙂👩‍👩‍👧🇨🇳'],
    ['with a blank at both ends', '  two words  '],
    ['of one kind of letters alone', 'aaaaaaaaaaaab'],
    ['in Chinese', '好好学习天天向上'],
    ['with signs of every kind', '"\'<>&;`$(){}\\|%00\u0001'],
    ['in two normal forms', 'e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301'],
  ])('%s is kept whole: the same signs in, and one sign less or other does not', async (_what, password) => {
    const { email } = await app.visit().signUp({ password });
    expect((await signIn(email, password)).status).toBe(200);
    const others = [password.slice(0, -1), `${password.slice(0, -1)}z`, password.slice(1), `${password} `];
    if (password !== password.trim()) others.push(password.trim());
    if (password !== password.toUpperCase()) others.push(password.toUpperCase());
    for (const other of others) expect([other, (await signIn(email, other)).status]).toEqual([other, 401]);
  });

  it('of 5 or of 129 characters is refused wherever one is chosen', async () => {
    const client = app.visit();
    const { email, password } = await client.signUp();
    const ways: ((newPassword: string) => Promise<Response>)[] = [
      (wanted) => app.visit().post('/api/auth/sign-up/email', { email: `a${email}`, password: wanted }),
      (wanted) =>
        app.visit().post('/api/auth/reset-password', { token: 'x'.repeat(43), newPassword: wanted }),
      (wanted) => client.post('/api/me/password', { currentPassword: password, newPassword: wanted }),
    ];
    for (const choose of ways) {
      expect(await codeOf(await choose('x7kq2'))).toBe('password_too_short');
      expect(await codeOf(await choose('x'.repeat(129)))).toBe('password_too_long');
    }
  });

  it('is changed only by whoever knows the old one', async () => {
    const client = app.visit();
    const { email, password } = await client.signUp();
    for (const currentPassword of ['', 'a wrong one', ` ${password}`]) {
      const response = await client.post('/api/me/password', {
        currentPassword,
        newPassword: 'another horse',
      });
      expect(await codeOf(response)).toBe('invalid_credentials');
    }
    expect((await signIn(email, password)).status).toBe(200);
  });
});
