import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { insertSession, insertUser } from '#test/factories.ts';
import { readSessionToken, signSessionToken } from '../secrets/session-cookie.ts';

const DAY = 86_400_000;
const NAME = 'parley.session_token';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('a session cookie is taken where its token is live and its signature ours', () => {
  const session = async (times: Parameters<typeof insertSession>[3] = {}, secret = app.config.authSecret) => {
    const { sql } = app.database.database;
    const { userId } = await insertUser(sql);
    return { userId, ...(await insertSession(sql, userId, secret, times)) };
  };
  const lastChanged = (value: string) => value.replace(/.(?=.{6}$)/, (one) => (one === 'A' ? 'B' : 'A'));

  it.each<[string, boolean, () => Promise<string>]>([
    ['valid', true, async () => `${NAME}=${(await session()).cookieValue}`],
    ['among others', true, async () => `lang=en; ${NAME}=${(await session()).cookieValue}; x=${NAME}`],
    ['with a changed signature', false, async () => `${NAME}=${lastChanged((await session()).cookieValue)}`],
    ['with a changed token', false, async () => `${NAME}=x${(await session()).cookieValue}`],
    [
      'signed with another secret',
      false,
      async () => `${NAME}=${(await session({}, 'x'.repeat(32))).cookieValue}`,
    ],
    ['without a signature', false, async () => `${NAME}=${(await session()).token}`],
    ['with an empty signature', false, async () => `${NAME}=${(await session()).token}.`],
    [
      'of an unknown token',
      false,
      async () => `${NAME}=${encodeURIComponent(signSessionToken('nobody', app.config.authSecret))}`,
    ],
    [
      'expired',
      false,
      async () => `${NAME}=${(await session({ expiresAt: new Date(Date.now() - 1000) })).cookieValue}`,
    ],
    ['broken by its encoding', false, async () => `${NAME}=%E0%A4%A`],
    ['empty', false, async () => `${NAME}=`],
    ['under another name', false, async () => `x${NAME}=${(await session()).cookieValue}`],
    [
      'of a deleted user',
      false,
      async () => {
        const { userId, cookieValue } = await session();
        await app.database.database.sql`delete from users where id = ${userId}`;
        return `${NAME}=${cookieValue}`;
      },
    ],
    [
      'revoked',
      false,
      async () => {
        const { sessionId, cookieValue } = await session();
        await app.database.database.sql`delete from sessions where id = ${sessionId}`;
        return `${NAME}=${cookieValue}`;
      },
    ],
  ])('%s', async (_, isTaken, makeCookie) => {
    const cookie = await makeCookie();
    const response = await app.visit({ cookie }).get('/api/me');
    expect(response.status).toBe(isTaken ? 200 : 401);
    const asked = await app.visit({ cookie }).get('/api/auth/get-session');
    const session = (await asked.json()) as { user: { id: string; email: string } } | null;
    expect(session !== null).toBe(isTaken);
    if (session)
      expect(await response.json()).toMatchObject({ uid: session.user.id, email: session.user.email });
  });

  it('and no session lives longer than 30 days, whatever its expiry says', async () => {
    const ages = [30 * DAY - 60_000, 30 * DAY + 1000];
    const statuses = await Promise.all(
      ages.map(async (age) => {
        const createdAt = new Date(Date.now() - age);
        const { cookieValue } = await session({ createdAt, expiresAt: new Date(Date.now() + DAY) });
        return (await app.visit({ cookie: `${NAME}=${cookieValue}` }).get('/api/me')).status;
      }),
    );
    expect(statuses).toEqual([200, 401]);
  });
});

it('a cookie without our signature costs no statement', () => {
  expect(readSessionToken(undefined, NAME, 's')).toBeNull();
  expect(readSessionToken(`${NAME}=a.b`, NAME, 's')).toBeNull();
  expect(readSessionToken(`${NAME}=${encodeURIComponent(signSessionToken('a.b', 's'))}`, NAME, 's')).toBe(
    'a.b',
  );
});
