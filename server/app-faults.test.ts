import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { loadStaticFiles } from '#server/platform/http/static-files.ts';
import { newId } from '#server/platform/ids.ts';
import { translate } from '#server/platform/translate.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { rawSender } from '#test/send-raw.ts';
import { createApp } from './app.ts';

let app: TestApp;
let user: TestClient;
beforeAll(async () => {
  app = await createTestApp();
  user = await app.signedIn();
});
afterAll(() => app.close());

const JSON_TYPE = { 'content-type': 'application/json' };

async function errorOf(response: Response) {
  return ((await response.json()) as ErrorBody).error;
}

it('a model whose key is missing says which setting it needs, before anything is held', async () => {
  const bare = await createTestApp({ beside: app, env: { GEMINI_API_KEY: '' } });
  const client = bare.visit({ cookie: user.cookie, headers: { 'accept-language': 'en' } });
  const body = { id: newId(), conversationId: newId(), parentId: null, model: 'parley-flash', content: 'hi' };
  const response = await client.post('/api/messages', body);
  expect(response.status).toBe(503);
  expect(await errorOf(response)).toEqual({
    code: 'not_configured',
    message: translate('en', 'notConfigured.model', { setting: 'GEMINI_API_KEY' }),
    params: { setting: 'GEMINI_API_KEY' },
  });
  expect(await app.database.database.sql`select from credit.hold where id = ${body.id}`).toHaveLength(0);
  await bare.close();
});

describe('faults of ours', () => {
  it('say nothing but that', async () => {
    const lonely = await createTestApp();
    const client = await lonely.signedIn();
    await lonely.database.database.sql`alter table users rename column photo_url to gone`;
    const response = await client.get('/api/me');
    expect(response.status).toBe(500);
    expect(await errorOf(response)).toEqual({
      code: 'internal',
      message: translate('zh', 'errors.internal'),
      params: {},
    });
    await lonely.close();
  });

  it('say to try again where the database is away', async () => {
    const gone = openDatabase(app.database.url);
    await gone.close();
    const away = createApp({ ...app.deps, database: gone }, loadStaticFiles('', '', ' '));
    const response = await away.request('/api/me', { headers: { cookie: user.cookie } });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    expect((await errorOf(response)).code).toBe('unavailable');
    expect((await away.request('/readyz')).status).toBe(503);
    expect((await away.request('/healthz')).status).toBe(200);
    const signIn = {
      method: 'POST',
      headers: JSON_TYPE,
      body: '{"email":"a@example.test","password":"123456"}',
    };
    expect((await away.request('/api/auth/sign-in/email', signIn)).status).toBe(503);
  });
});

describe('the operator', () => {
  it('reads readiness and metrics by route, without ids', async () => {
    expect(await (await app.visit().get('/readyz')).json()).toEqual({ status: 'ready' });
    await user.get(`/api/conversations/${newId()}`);
    const text = await (await app.visit().get('/metrics')).text();
    expect(text).toContain(
      'parley_http_request_duration_seconds_count{method="GET",route="/api/conversations/:id",status="404"}',
    );
    expect(text).not.toMatch(/route="[^"]*[0-9a-f]{8}-/);
  });

  it('guards metrics by a token, or by the place they are read from', async () => {
    const guarded = await createTestApp({ beside: app, env: { METRICS_TOKEN: 'a-long-enough-token' } });
    const read = (headers: Record<string, string>) => guarded.visit({ headers }).get('/metrics');
    expect((await read({})).status).toBe(404);
    expect((await read({ authorization: 'Bearer wrong' })).status).toBe(404);
    expect((await read({ authorization: 'Bearer a-long-enough-token' })).status).toBe(200);
    for (const header of ['x-forwarded-for', 'forwarded'])
      expect((await app.visit({ headers: { [header]: 'for=203.0.113.1' } }).get('/metrics')).status).toBe(
        404,
      );
    await guarded.close();
  });

  it('keeps metrics from a page elsewhere whose name leads to this machine', async () => {
    const sender = rawSender(app.url);
    const read = async (host: string) => {
      const asked = { method: 'GET', path: '/metrics', headers: { host }, body: null };
      return (await sender.send(asked)).status;
    };
    for (const host of [
      'evil.example',
      `evil.example:${app.config.port}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '0.0.0.0',
    ])
      expect([host, await read(host)]).toEqual([host, 404]);
    for (const host of ['localhost', `localhost:${app.config.port}`, '127.0.0.1', '[::1]:80'])
      expect([host, await read(host)]).toEqual([host, 200]);
    sender.close();
  });
});
