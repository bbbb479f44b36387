import { createHmac } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { UserRecord } from '#contract/accounts.ts';
import type { CheckoutAnswer } from '#contract/billing.ts';
import type { Message } from '#contract/chat.ts';
import { ERROR_STATUS, type ErrorBody } from '#contract/errors.ts';
import { sessionCookieName } from '#server/accounts/secrets/session-cookie.ts';
import { newId } from '#server/platform/ids.ts';
import { makeOperator } from '#test/admin/operator.ts';
import { makeKey } from '#test/api.ts';
import type { TestApp } from '#test/app.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { ask } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { insertFile } from '#test/files/files.ts';
import { PATIENT } from '#test/patient.ts';
import { apiRoutes, changingRoutes, type ServedRoute } from '#test/routes/routes.ts';
import { IS_LONG, inTurn } from '#test/runs.ts';

let shop: Shop;
let app: TestApp;
let owner: Awaited<ReturnType<Shop['buyer']>>;
let message: Message;
/** What the owner has, by the pattern of the routes that name it. */
let owned: Record<string, string>;
beforeAll(async () => {
  shop = await openShop();
  app = shop.app;
  owner = await shop.buyer();
  message = await ask(owner.client);
  const order = (await (await owner.begin('creem')).json()) as CheckoutAnswer;
  const [session] = await shop.sql<{ id: string }[]>`select id from sessions where user_id = ${owner.userId}`;
  owned = {
    '/api/messages/:id': message.id,
    '/api/conversations/:id': message.conversationId,
    '/api/orders/:id': order.orderId,
    '/api/keys/:id': (await makeKey(owner.client)).id,
    '/api/sessions/:id': session?.id ?? '',
    '/api/me/passkeys/:id': await insertPasskey(owner.userId),
    '/api/me/export/:id': await makeExport(owner.client),
    '/api/me/sign-ins/:id': await insertGoogle(owner.userId),
    '/api/pictures/:hash': await uploadPicture(owner.client),
    '/api/admin/users/:id': owner.userId,
    '/api/admin/orders/:id': order.orderId,
    '/api/admin/proposals/:id': newId(),
    '/api/files/:id': await insertFile(shop.sql, owner.userId, { conversationId: message.conversationId }),
  };
});
afterAll(() => shop.close());

async function insertPasskey(userId: string): Promise<string> {
  const id = newId();
  await shop.sql`
    insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, synced, created_at)
    values (${id}, ${userId}, ${id}, '\\x00', 0, '{}', 'Phone', false, now())`;
  return id;
}

async function insertGoogle(userId: string): Promise<string> {
  const id = newId();
  await shop.sql`insert into identities (id, user_id, provider_id, account_id) values (${id}, ${userId}, 'google', ${id})`;
  return id;
}

async function uploadPicture(client: TestClient): Promise<string> {
  const image = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#b93a28' } })
    .png()
    .toBuffer();
  const response = await client.request('/api/me/picture', {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: new Uint8Array(image),
  });
  const { photoURL } = (await response.json()) as UserRecord;
  return photoURL?.split('/').at(-1) ?? '';
}

async function makeExport(client: TestClient): Promise<string> {
  await client.post('/api/me/export');
  return vi.waitFor(async () => {
    const response = await client.get('/api/me/exports');
    const { exports } = (await response.json()) as { exports: { id: string; state: string }[] };
    if (exports[0]?.state !== 'ready') throw new Error('the export is not ready');
    return exports[0].id;
  }, PATIENT);
}

/** Routes that a visitor may use; every other one needs a signed-in user. */
const OPEN = new Set([
  'GET /api/catalogue',
  'GET /api/auth/get-session',
  'POST /api/auth/sign-up/email',
  'POST /api/auth/sign-in/email',
  'POST /api/auth/sign-out',
  'POST /api/auth/request-password-reset',
  'POST /api/auth/reset-password',
  'POST /api/auth/reset-password/offer',
  'POST /api/auth/disown-account',
  'POST /api/auth/disown-notice',
  'POST /api/auth/disown-notice/offer',
  'POST /api/auth/request-sign-in-link',
  'POST /api/auth/open-sign-in-link',
  'POST /api/auth/check-password',
  'POST /api/auth/weigh-password',
  'POST /api/auth/verify-email',
  'POST /api/auth/confirm-email-change',
  'POST /api/auth/stop-email-change',
  'GET /api/auth/second-factor',
  'POST /api/auth/second-factor',
  'POST /api/auth/second-factor/passkey',
  'POST /api/auth/passkey/options',
  'POST /api/auth/passkey',
  'GET /api/auth/options',
  'GET /api/auth/google/start',
  'GET /api/auth/google/callback',
  'GET /api/auth/google/done',
  'OPTIONS /api/files',
]);
/** Bodies without which a route would look at nothing else. */
const BODIES: Record<string, unknown> = {
  'PATCH /api/conversations/:id': { title: 'Mine' },
  'PATCH /api/keys/:id': { name: 'Mine' },
  'PATCH /api/me/passkeys/:id': { name: 'Mine' },
  'PUT /api/files/:id/every-turn': { everyTurn: false },
};

const nameOf = ({ method, pattern }: ServedRoute) => `${method} ${pattern}`;
const guarded = () => apiRoutes(app.app).filter((route) => !OPEN.has(nameOf(route)));
const withId = () => apiRoutes(app.app).filter(({ pattern }) => pattern.includes(':'));
const ownedId = ({ pattern }: ServedRoute) => owned[/^.*?:\w+/.exec(pattern)?.[0] ?? ''];
const call = (client: TestClient, route: ServedRoute, id: string | undefined, body: unknown) =>
  client.request(route.path(id), {
    method: route.method,
    ...(route.method === 'GET'
      ? {}
      : {
          headers: { 'content-type': route.contentType },
          body: JSON.stringify(body),
        }),
  });

describe('a visitor', () => {
  it('is refused by every route that is not listed as open, a userId in the body or not (CVE-2025-61928, GHSA-99h5-pjcv-gr6v)', async () => {
    const visitor = app.visit();
    for (const route of guarded()) {
      for (const body of [{}, { userId: owner.userId }, { user: { id: owner.userId }, uid: owner.userId }]) {
        const response = await call(visitor, route, ownedId(route), body);
        expect([nameOf(route), response.status]).toEqual([nameOf(route), 401]);
      }
    }
  });

  it('is refused by every route with a forged cookie or with a key of the API (CVE-2026-39411, CVE-2026-45339)', async () => {
    const name = sessionCookieName(app.config.publicUrl);
    const token = 'x'.repeat(43);
    const sign = (secret: string) => createHmac('sha256', secret).update(token).digest('base64');
    const cookies = [
      token,
      `${token}.`,
      `${token}.${sign('')}`,
      `${token}.${sign('another secret')}`,
      `${token}.${sign(app.config.authSecret)}`,
      owner.userId,
      Buffer.from(JSON.stringify({ userId: owner.userId })).toString('base64'),
    ];
    const { key } = await makeKey(owner.client);
    const carriers: Record<string, string>[] = [
      ...cookies.map((value) => ({ cookie: `${name}=${encodeURIComponent(value)}` })),
      { authorization: `Bearer ${key}` },
      { authorization: `Bearer ${owner.client.cookie}` },
      { 'x-api-key': key, 'x-user-id': owner.userId },
    ];
    for (const [turn, headers] of carriers.entries()) {
      const forger = app.visit({ headers });
      for (const route of inTurn(guarded(), turn % 3, 3)) {
        const response = await call(forger, route, ownedId(route), {});
        expect([nameOf(route), headers, response.status]).toEqual([nameOf(route), headers, 401]);
      }
    }
  });

  it('finds nothing under the list of open routes that is not there', () => {
    const names = apiRoutes(app.app).map(nameOf);
    expect([...OPEN].filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('another user', () => {
  it('finds nothing of somebody else under any route with an id (GHSA-4vcf-q4xf-f48m, CVE-2026-30886, CVE-2026-31950, CVE-2026-44569)', async () => {
    expect(withId().length).toBeGreaterThan(12);
    const before = await snapshot();
    const stranger = await app.signedIn();
    for (const route of withId()) {
      const id = ownedId(route);
      expect([nameOf(route), typeof id]).toEqual([nameOf(route), 'string']);
      const response = await call(stranger, route, id, BODIES[nameOf(route)] ?? {});
      const text = await response.text();
      expect([nameOf(route), response.status, text]).toEqual([nameOf(route), 404, expect.any(String)]);
      expect(text).not.toContain(message.content);
      expect(text).not.toContain(owner.email);
    }
    expect(await snapshot()).toEqual(before);
  });

  it('acts on nothing of somebody else by naming it in a body (GHSA-h3rm-78g3-j7cp, CVE-2026-45349)', async () => {
    const before = await snapshot();
    const stranger = await shop.buyer();
    const ids = { userId: owner.userId, orderId: owned['/api/orders/:id'], subscriptionId: newId() };
    for (const path of [
      '/api/subscription/cancel',
      '/api/subscription/resume',
      '/api/subscription/portal',
      '/api/subscription/downgrade',
    ]) {
      for (const body of [ids, { userId: owner.userId }, { subscription: owned['/api/orders/:id'] }])
        expect([path, [404, 409, 422].includes((await stranger.client.post(path, body)).status)]).toEqual([
          path,
          true,
        ]);
    }
    expect((await stranger.begin('creem', 'gemini_basic', 'monthly', { userId: owner.userId })).status).toBe(
      403,
    );
    for (const over of [
      { conversationId: message.conversationId },
      { parentId: message.id },
      { id: message.id },
    ]) {
      const draft = {
        id: newId(),
        conversationId: newId(),
        parentId: null,
        model: 'parley-flash',
        content: 'x',
      };
      expect((await stranger.client.post('/api/messages', { ...draft, ...over })).status).toBe(404);
    }
    expect(await snapshot()).toEqual(before);
  });

  it('is let in to what is his own by the same requests, and an operator to the console', async () => {
    await makeOperator(shop.sql, owner.userId);
    for (const route of withId().filter(
      ({ method, pattern }) => method === 'GET' && !/events$/.test(pattern),
    ))
      expect([nameOf(route), (await call(owner.client, route, ownedId(route), {})).status]).toEqual([
        nameOf(route),
        200,
      ]);
  });
});

/** All of the owner's that a stranger could have changed. */
async function snapshot() {
  const { userId } = owner;
  const rows = await Promise.all([
    shop.sql`select id, content, status, stop_requested_at from messages where user_id = ${userId} order by id`,
    shop.sql`select id, title, deleted_at from conversations where user_id = ${userId} order by id`,
    shop.sql`select id, status from billing.orders where user_id = ${userId} order by id`,
    shop.sql`select id, name, revoked_at from api_keys where user_id = ${userId} order by id`,
    shop.sql`select id from sessions where user_id = ${userId} order by id`,
    shop.sql`select id from identities where user_id = ${userId} order by id`,
    shop.sql`select id, name, every_turn, conversation_id from files where user_id = ${userId} order by id`,
    shop.sql`select id, name from passkeys where user_id = ${userId} order by id`,
    shop.sql`select * from billing.cancellations c join billing.account a using (user_id) where a.user_id = ${userId}`,
  ]);
  return rows.map((table) => [...table]);
}

describe('every route that changes something', () => {
  const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
  const BODY_TEXTS = [
    '{}',
    'null',
    '[]',
    '1',
    '""',
    'true',
    '',
    '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}',
    '{"metadata":{"__proto__":{"x":1}}}',
    nested(500, '[', ']'),
    `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`,
    '{"email":{},"password":[],"id":1e999,"token":null,"name":{"toString":1}}',
  ];

  it.runIf(IS_LONG)(
    'outlives a body of any shape and never answers with a fault (CVE-2026-31949, GHSA-737v-mqg7-c878)',
    async () => {
      for (const route of changingRoutes(app.app)) {
        for (const [client, bodies] of [
          [app.visit(), BODY_TEXTS.slice(0, 4)],
          [await app.signedIn(), BODY_TEXTS],
        ] as const) {
          for (const body of bodies) {
            const headers = { 'content-type': route.contentType };
            const sent = body === '' ? {} : { headers, body };
            const response = await client.request(route.path(), { method: route.method, ...sent });
            const text = await response.text();
            if (response.ok) continue;
            const { code } = (JSON.parse(text) as ErrorBody).error;
            expect(ERROR_STATUS).toHaveProperty(code);
            const isExpected = response.status < 500 || code === 'not_configured';
            expect([nameOf(route), body.slice(0, 60), code, isExpected]).toEqual([
              nameOf(route),
              body.slice(0, 60),
              code,
              true,
            ]);
          }
        }
      }
      expect((await app.visit().get('/healthz')).status).toBe(200);
      const everywhere: Record<string, unknown> = {};
      expect(everywhere.isAdmin).toBeUndefined();
      expect(Object.keys(Object.prototype)).toEqual([]);
    },
    300_000,
  );
});
