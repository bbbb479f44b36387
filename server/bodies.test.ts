import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { apiUser } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf, draft } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { changingRoutes, type ServedRoute } from '#test/routes/routes.ts';
import { inTurn } from '#test/runs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Routes that take more than a form; every other one is refused above 4 kB without saying so. */
const LARGER: Record<string, number> = {
  // The form, and 200 ids of 36 characters, quoted and with a comma.
  '/api/auth/reset-password': 11_896,
  '/api/messages': 1_048_576,
  '/api/quotes': 1_048_576,
  '/api/completions': 28 * 1_048_576,
  '/api/keys': 16_384,
  '/api/keys/:id': 16_384,
  '/api/me/passkeys': 65_536,
  '/api/me/confirm': 65_536,
  '/api/auth/passkey': 65_536,
  '/api/auth/second-factor': 65_536,
  '/api/auth/second-factor/passkey': 65_536,
  '/api/me/picture': 8 * 1_048_576,
  '/api/files/:id': 1_048_576,
};

const DEEP = '['.repeat(65) + ']'.repeat(65);
/** What a route may say before it reads a body. */
const BEFORE_THE_BODY = [
  'second_step_over',
  'not_found',
  'not_configured',
  'confirmation_required',
  'conflict',
  'upload_version_unsupported',
];

const sendText = (client: TestClient, { method, path, contentType }: ServedRoute, body: string) =>
  client.request(path(), { method, headers: { 'content-type': contentType }, body });
const errorOf = async (response: Response) => ((await response.json()) as ErrorBody).error;
const wide = (keys: number) => `{${Array.from({ length: keys }, (_, n) => `"k${n}":0`).join(',')}}`;

describe('a body', () => {
  it('is refused above what its route takes, which is 4 kB where nothing is said', async () => {
    const routes = changingRoutes(app.app);
    expect(Object.keys(LARGER).filter((path) => !routes.some(({ pattern }) => pattern === path))).toEqual([]);
    const clients = [app.visit(), await app.signedIn()];
    for (const [turn, route] of routes.entries()) {
      const limit = LARGER[route.pattern] ?? 4_096;
      for (const client of inTurn(clients, turn % 2, 2)) {
        const response = await sendText(client, route, 'x'.repeat(limit + 1));
        expect([route.pattern, response.status]).toEqual([route.pattern, 413]);
        expect(await errorOf(response)).toMatchObject({ code: 'payload_too_large', params: { limit } });
      }
    }
  });

  it('of the size of a form reaches its route', async () => {
    const password = 'x'.repeat(4_000);
    const response = await app.visit().post('/api/auth/sign-in/email', { email: 'a@b.test', password });
    expect(response.status).toBe(401);
    expect(
      (
        await app
          .visit()
          .post('/api/auth/sign-in/email', { email: 'a@b.test', password: `${password}${password}` })
      ).status,
    ).toBe(413);
  });

  it('without a length is refused once it is too large', async () => {
    const parts = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(Buffer.from(`{"email":"${'x'.repeat(5_000)}`));
        controller.close();
      },
    });
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: parts,
      duplex: 'half',
    };
    const response = await app.visit().request('/api/auth/sign-in/email', init as RequestInit);
    expect(response.status).toBe(413);
    expect(await errorOf(response)).toMatchObject({ code: 'payload_too_large', params: { limit: 4_096 } });
  });

  it('of too many keys or levels is refused by every route that reads it', async () => {
    const routes = changingRoutes(app.app).filter(({ contentType }) => contentType === 'application/json');
    const refused = new Set<string>();
    for (const route of routes) {
      const user = await app.signedIn();
      const keys = wide(Math.min(100_000, Math.floor((LARGER[route.pattern] ?? 4_096) / 12)));
      const bodies = route.pattern in LARGER ? [DEEP, keys] : [DEEP];
      for (const body of bodies) {
        const response = await sendText(user, route, body);
        if (response.ok) continue;
        const { code } = await errorOf(response);
        if (code === 'json_too_complex') refused.add(route.pattern);
        else
          expect([route.pattern, BEFORE_THE_BODY]).toEqual([route.pattern, expect.arrayContaining([code])]);
      }
    }
    expect(refused.size).toBeGreaterThan(20);
  });
});

describe('a prompt', () => {
  it('of 32,000 characters of whatever length in JSON is sent', async () => {
    const user = await app.signedIn();
    for (const character of ['潮', '"', '\u0001'])
      expect([
        character,
        (await user.post('/api/messages', draft({ content: `x${character.repeat(31_998)}x` }))).status,
      ]).toEqual([character, 201]);
  });

  it('that is too long is told so by its length, and free', async () => {
    const user = await app.signedIn();
    const response = await user.post('/api/messages', draft({ content: '潮'.repeat(100_000) }));
    expect(await errorOf(response)).toMatchObject({ code: 'prompt_too_long', params: { length: 100_000 } });
    expect(await creditsOf(user)).toBe(40);
  });
});

describe('a body of /v1', () => {
  const complete = (key: string, body: string) =>
    fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body,
    });
  const codeOf = async (response: Response) => (await errorOf(response)).code;

  it('may have a history of 1,999 messages', async () => {
    const { key } = await apiUser(app);
    const messages = Array.from({ length: 1_999 }, (_, n) => ({
      role: n % 2 ? 'assistant' : 'user',
      content: 'hi',
    }));
    const model = 'gemini-2.5-flash-lite';
    const response = await complete(key, JSON.stringify({ model, messages }));
    expect(response.status).toBe(200);
  });

  it('of 90,000 keys, 65 levels or more than 28 megabytes is refused', async () => {
    const { key, user } = await apiUser(app);
    expect(await codeOf(await complete(key, wide(90_000)))).toBe('json_too_complex');
    expect(await codeOf(await complete(key, `{"metadata":${wide(9_000)}}`))).toBe('json_too_complex');
    expect(await codeOf(await complete(key, DEEP))).toBe('json_too_complex');
    expect(await codeOf(await complete(key, `"${'x'.repeat(28 * 1_048_576)}"`))).toBe('payload_too_large');
    expect(await creditsOf(user)).toBe(40);
  });
});
