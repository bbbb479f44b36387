import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const check = async (password: string, email?: string, address = '/api/auth/check-password') => {
  const response = await app.visit().post(address, { password, email });
  expect(response.status).toBe(200);
  return ((await response.json()) as { common: boolean }).common;
};

describe('a password that others would try first', () => {
  it.each(['123456', 'password123', 'PassWord123', ' qwerty ', '5201314', 'zaq12wsx'])(
    '%j is recognised by the shipped list',
    async (password) => {
      expect(await check(password)).toBe(true);
    },
  );

  it.each(['wanderer', 'Wanderer1', '2026wanderer', 'wanderer!!!!', 'northwind1', 'parley2026', '对谈对谈'])(
    '%j of wanderer@northwind.example is recognised by whose it is and where',
    async (password) => {
      expect(await check(password, 'Wanderer@northwind.example')).toBe(true);
    },
  );

  it.each(['correct horse', '好好学习天天向上', 'wanderer on a long way', 'x7!kQ2', '', ' '])(
    '%j is none',
    async (password) => {
      expect(await check(password, 'wanderer@northwind.example')).toBe(false);
    },
  );

  it('is recognised at the address of the version before too', async () => {
    expect(await check('123456', undefined, '/api/auth/weigh-password')).toBe(true);
    expect(await check('correct horse', undefined, '/api/auth/weigh-password')).toBe(false);
  });

  it('may still be chosen: the form only warns', async () => {
    const client = app.visit();
    await client.signUp({ password: 'password123' });
    expect((await client.get('/api/me')).status).toBe(200);
  });
});

it('the list has the three thousand most used passwords of six characters and more', async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const allowed = dictionary['passwords-common'].filter((password) => password.length >= 6);
  expect(allowed.length).toBeGreaterThan(40_000);
  for (const rank of [0, 1_000, 2_999]) expect(await check(allowed[rank] ?? '')).toBe(true);
});
