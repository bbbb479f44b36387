import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { MAX_PIECE, MEGABYTE } from '#contract/limits.ts';
import { makeKey, openaiClient } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { startPayments } from '#test/billing/payment-emulator.ts';
import { postWebhook } from '#test/billing/signed-webhook.ts';
import { draft, send } from '#test/chat/chat.ts';
import { createClient, type TestClient } from '#test/client.ts';
import { findProxy, type ProxyName, prepareProxy, type TestProxy } from '#test/deploy/proxies.ts';
import { openEvents } from '#test/events.ts';
import { beginUpload, idOf, offsetOf, sendPiece, someBytes } from '#test/files/files.ts';
import { IS_LONG } from '#test/runs.ts';

for (const name of ['caddy', 'nginx'] as const) {
  const isThere = findProxy(name) !== null;
  const title = isThere ? `behind ${name}` : `behind ${name} (skipped: ${name} is not installed)`;
  describe.skipIf(!isThere)(title, () => tests(name));
}

function tests(name: ProxyName) {
  const trusted = getCACertificates('default');
  let proxy: TestProxy;
  let payments: Awaited<ReturnType<typeof startPayments>>;
  let app: TestApp;

  beforeAll(async () => {
    proxy = await prepareProxy(name);
    setDefaultCACertificates([...trusted, proxy.certificate]);
    payments = await startPayments('creem');
    // A model that falls silent stays so for longer than any wait of these tests.
    const patient = { UPSTREAM_IDLE_TIMEOUT_MS: '240000' };
    const behind = { PUBLIC_URL: proxy.url, TRUST_PROXY: '1' };
    app = await createTestApp({ env: { ...payments.env, ...patient, ...behind } });
    await proxy.start(new URL(app.url).host);
  });
  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await proxy?.close();
    await app?.close();
    await payments?.close();
  });

  const visit = () => createClient({ url: proxy.url, origin: proxy.url });
  async function signedUp(): Promise<TestClient> {
    const user = visit();
    await user.signUp();
    return user;
  }
  const newest = async () => {
    const [row] = await app.database.database.sql<{ status: string }[]>`
      select status from messages order by created_at desc limit 1`;
    return row?.status;
  };

  it('a browser is offered HTTP/2, and cookies are of this host alone', async () => {
    const { port } = new URL(proxy.url);
    const protocol = await new Promise((resolve, reject) => {
      const socket = connect(
        { host: '127.0.0.1', port: Number(port), ALPNProtocols: ['h2', 'http/1.1'] },
        () => {
          resolve(socket.alpnProtocol);
          socket.destroy();
        },
      ).on('error', reject);
    });
    expect(protocol).toBe('h2');
    expect((await signedUp()).cookie).toContain('__Host-');
  });

  it('the first text of an answer comes before its end', async () => {
    await app.gemini.scenario('silent', { params: { after: 4 } });
    const user = await signedUp();
    const { id } = await send(user);
    const reader = await openEvents(user, `/api/messages/${id}/events`);
    await reader.next(({ event }) => event === 'text');
    expect(await newest()).toBe('running');
    expect((await user.post(`/api/messages/${id}/stop`)).ok).toBe(true);
    await reader.next(({ event }) => event === 'end');
    await reader.ended;
    await app.gemini.reset();
  });

  it('so does that of a message whose answer comes with the sending', async () => {
    await app.gemini.scenario('silent', { params: { after: 4 } });
    const user = await signedUp();
    const message = draft();
    const reader = await openEvents(user, '/api/messages', { body: message });
    await reader.next(({ event }) => event === 'text');
    await user.post(`/api/messages/${message.id}/stop`);
    await reader.ended;
    await app.gemini.reset();
  });

  it('a client of the API that goes stops its answer', async () => {
    await app.gemini.scenario('silent', { params: { after: 4 } });
    const { key } = await makeKey(await signedUp());
    const stream = await openaiClient({ url: proxy.url }, key).chat.completions.create({
      model: 'gemini-2.5-flash-lite',
      messages: [{ role: 'user', content: 'What is the capital of France?' }],
      stream: true,
    });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    await expect.poll(newest).toBe('stopped');
    await app.gemini.reset();
  });

  it('a whole piece of a file is taken', async () => {
    const user = await signedUp();
    const id = await idOf(await beginUpload(user, MAX_PIECE + 1));
    expect((await sendPiece(user, id, 0, someBytes(MAX_PIECE))).status).toBe(204);
    expect(await offsetOf(user, id)).toBe(MAX_PIECE);
  });

  it.runIf(IS_LONG)('a body that is too large is told so, wherever it is sent', async () => {
    const user = await signedUp();
    const { key } = await makeKey(user);
    const upload = await idOf(await beginUpload(user, MAX_PIECE + 1));
    const large = new Uint8Array(4 * MEGABYTE).fill(32);
    const post = (path: string, headers: Record<string, string> = {}) =>
      user.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: large,
      });
    const sends: Record<string, () => Promise<Response>> = {
      form: () => post('/api/auth/sign-in/email'),
      prompt: () => post('/api/messages'),
      webhook: () => post('/webhooks/creem'),
      v1: () => post('/v1/models', { authorization: `Bearer ${key}` }),
      piece: () => sendPiece(user, upload, 0, large),
    };
    for (let round = 0; round < 3; round += 1)
      for (const [name, sendLarge] of Object.entries(sends)) {
        const response = await sendLarge();
        expect([name, response.status]).toEqual([name, 413]);
        expect((await response.json()) as ErrorBody).toMatchObject({
          error: { code: 'payload_too_large' },
        });
      }
  });

  it('a webhook arrives with the bytes that were signed', async () => {
    const body = '{"id":"evt_1",  "eventType":"none", "object":{}}';
    expect(await postWebhook(proxy.url, 'creem', body)).toBe(200);
    const rows = await app.database.database.sql<{ raw: Buffer }[]>`select raw from billing.inbox`;
    expect(rows.map(({ raw }) => raw.toString())).toEqual([body]);
  });

  it('a client cannot choose the address it is seen at', async () => {
    const user = await signedUp();
    const home = await makeKey(user, { allowedAddresses: ['127.0.0.1/32'] });
    const away = await makeKey(user, { allowedAddresses: ['203.0.113.9/32'] });
    const call = (key: string) =>
      visit().request('/v1/models', {
        headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': '203.0.113.9' },
      });
    expect((await call(home.key)).status).toBe(200);
    expect((await call(away.key)).status).toBe(403);
  });
}
