import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { loadStaticFiles } from '#server/platform/http/static-files.ts';
import { newId } from '#server/platform/ids.ts';
import { makeKey } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { apiRoutes } from '#test/routes/routes.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-exposure-'));
for (const page of ['zh', 'zh/login', 'zh/chat']) mkdirSync(join(folder, page), { recursive: true });
for (const page of ['zh', 'zh/login', 'zh/chat'])
  writeFileSync(join(folder, page, 'index.html'), '<!doctype html><title>a page</title>');

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ files: loadStaticFiles(folder, '', ' ') });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Fields that no answer has, whatever their value; the names of what proves who a person is. */
const SECRET_FIELD = /(hash|token|secret|password|salt|credentialId|publicKey|private|sealed|cookie)$/i;
/** Fields that sound like it and are none: settings of a page, and what an OpenAI client is given. */
const HARMLESS_FIELDS = new Set(['hasPassword', 'password']);

/** What the tables keep and no answer shows. */
async function secrets(): Promise<string[]> {
  const { sql } = app.database.database;
  const rows = await sql<{ secret: string | null }[]>`
    select token as secret from sessions
    union all select password from identities
    union all select value from verifications union all select identifier from verifications
    union all select encode(hash, 'hex') from api_keys union all select encode(hash, 'base64') from api_keys
    union all select encode(address_hash, 'hex') from users union all select encode(address_hash, 'base64') from users`;
  const kept = rows.flatMap(({ secret }) => (secret && secret.length > 8 ? [secret] : []));
  return [...kept, app.config.authSecret];
}

/** The names of all fields in a JSON value, however deep. */
function fieldsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value).flatMap(fieldsOf)];
}

async function expectNothingSecret(name: string, response: Response) {
  const text = await response.text();
  for (const secret of await secrets()) expect([name, text.includes(secret)]).toEqual([name, false]);
  if (!response.headers.get('content-type')?.includes('json')) return;
  const told = fieldsOf(JSON.parse(text)).filter(
    (field) => SECRET_FIELD.test(field) && !HARMLESS_FIELDS.has(field),
  );
  expect([name, told]).toEqual([name, []]);
}

async function somebody(): Promise<{ client: TestClient; path(pattern: string): string }> {
  const client = app.visit();
  await client.signUp();
  const message = await ask(client);
  const key = await makeKey(client);
  const ids: Record<string, string> = {
    messages: message.id,
    conversations: message.conversationId,
    keys: key.id,
  };
  return {
    client,
    path: (pattern) => pattern.replace(/:\w+/g, () => ids[pattern.split('/')[2] ?? ''] ?? newId()),
  };
}

describe('no answer', () => {
  it('of any route that reads tells a token, a hash or another secret (GHSA-6x2c-phff-wx57, CVE-2024-37895)', async () => {
    const { client, path } = await somebody();
    const reads = apiRoutes(app.app).filter(
      ({ method, pattern }) => method === 'GET' && pattern !== '/api/live',
    );
    expect(reads.length).toBeGreaterThan(15);
    for (const { pattern } of reads)
      await expectNothingSecret(`GET ${pattern}`, await client.get(path(pattern)));
  });

  it('of a way in tells one either, and a key of the API is told once, by what makes it', async () => {
    const client = app.visit();
    const account = { email: `${newId()}@example.test`, password: 'correct horse' };
    await expectNothingSecret('sign-up', await client.post('/api/auth/sign-up/email', account));
    await expectNothingSecret('sign-in', await client.post('/api/auth/sign-in/email', account));
    await expectNothingSecret(
      'wrong',
      await client.post('/api/auth/sign-in/email', { ...account, password: 'x' }),
    );
    const { key } = await makeKey(client);
    for (const path of ['/api/keys', '/api/me', '/api/keys/usage'])
      expect(await (await client.get(path)).text()).not.toContain(key);
  });

  it('tells what went wrong inside', async () => {
    const { client } = await somebody();
    await app.database.database.sql`alter table conversations rename to away`;
    const response = await client.get('/api/conversations');
    await app.database.database.sql`alter table away rename to conversations`;
    expect(response.status).toBe(500);
    const text = await response.text();
    expect((JSON.parse(text) as ErrorBody).error.code).toBe('internal');
    expect(text).not.toMatch(/conversations|relation|postgres|\.ts|at /);
  });
});

describe('what comes in an address', () => {
  const PROBE = '"><img src=x onerror=alert(1)><script>alert(1)</script>';
  const NAMES = [
    'error',
    'error_description',
    'next',
    'returnTo',
    'callbackURL',
    'code',
    'state',
    'q',
    'lang',
    'x',
  ];

  it('is never put into a page as it came, by no route and no page (GHSA-9x4v-xfq5-m8x5)', async () => {
    const { client, path } = await somebody();
    const reads = apiRoutes(app.app).filter(
      ({ method, pattern }) => method === 'GET' && !/events$|live$/.test(pattern),
    );
    const places = [
      ...reads.map(({ pattern }) => path(pattern)),
      ...['/', '/zh', '/zh/login', '/zh/chat', '/none', '/api/none', '/v1/none', '/healthz'],
    ];
    for (const place of places) {
      for (const name of NAMES) {
        const response = await client.get(`${place}?${name}=${encodeURIComponent(PROBE)}`);
        const text = await response.text();
        const isPage = !response.headers.get('content-type')?.includes('json');
        expect([place, name, isPage && /<script>alert|onerror=/.test(text)]).toEqual([place, name, false]);
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      }
    }
  });

  it('never leads to another site (GHSA-vp58-j275-797x, CVE-2025-27143, CVE-2024-56734, CVE-2025-53535)', async () => {
    const foreign = [
      '//evil.example/',
      '///evil.example/',
      '/\\evil.example/',
      '/%5Cevil.example/',
      '/%2F%2Fevil.example/',
      '/%09//evil.example/',
      '//evil.example/%2e%2e/',
      '//user@evil.example/',
      '/zh//evil.example/',
      '/evil.example//',
      '/en/https:evil.example/',
      '/?next=//evil.example',
      '/none?returnTo=https://evil.example&callbackURL=//evil.example',
    ];
    for (const path of foreign) {
      const response = await app.visit().request(path);
      const location = response.headers.get('location');
      if (location === null) continue;
      expect([path, new URL(location, app.url).origin]).toEqual([path, new URL(app.url).origin]);
      expect([path, location.startsWith('//')]).toEqual([path, false]);
    }
  });
});
