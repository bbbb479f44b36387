import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROVIDERS } from '#contract/choices.ts';
import { createTestApp } from '#test/app.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { postWebhook, signWebhook } from '#test/billing/signed-webhook.ts';
import { MAX_WEBHOOK } from './receive-webhook.ts';

describe.each(PROVIDERS)('the webhook of %s', (provider) => {
  let shop: Shop;
  let url: string;
  const body = '{"id":"evt_1","event_id":"evt_1","object":{}}';
  const header = `${provider}-signature`;

  beforeAll(async () => {
    shop = await openShop();
    url = shop.app.url;
  });
  afterAll(() => shop.close());

  async function stored() {
    const rows = await shop.sql<{ key: string; raw: Buffer }[]>`
      select dedupe_key as key, raw from billing.inbox order by id`;
    return rows.map(({ key, raw }) => [key, raw.toString()]);
  }

  const good = signWebhook(provider, body);
  const signature = good[header] ?? '';
  it.each<[string, Record<string, string>, string]>([
    ['no signature', { 'content-type': 'application/json' }, body],
    ['an empty signature', { ...good, [header]: '' }, body],
    ['a short signature', { ...good, [header]: signature.slice(0, 40) }, body],
    ['an odd-length signature', { ...good, [header]: signature.slice(1) }, body],
    ['a longer signature', { ...good, [header]: `${signature}00` }, body],
    ['a signature that is no hex', { ...good, [header]: 'z'.repeat(64) }, body],
    ['a signature of zeros', { ...good, [header]: '0'.repeat(64) }, body],
    ['two signatures', { ...good, [header]: `${signature}, ${signature}` }, body],
    ['a signature of another secret', signWebhook(provider, body, 'whsec_other'), body],
    ['a signature of an empty secret', signWebhook(provider, body, ' '), body],
    ['the same JSON in other bytes', good, JSON.stringify(JSON.parse(body), null, 1)],
    ['one more byte', good, `${body} `],
    ['no body', good, ''],
  ])('refuses %s with 401 and stores nothing', async (_, headers, sent) => {
    expect(await postWebhook(url, provider, sent, headers)).toBe(401);
    expect(await stored()).toEqual([]);
  });

  it('keeps the very bytes once, whatever else a browser or proxy adds, and answers 200 each time', async () => {
    const noise = { cookie: 'a=b', origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    for (const extra of [{}, noise, { 'content-type': 'text/plain' }])
      expect(await postWebhook(url, provider, body, { ...signWebhook(provider, body), ...extra })).toBe(200);
    expect(await stored()).toEqual([['evt_1:unknown', body]]);
  });

  it('keeps what is signed but no JSON, for the operator, and goes on', async () => {
    const bytes = new Uint8Array([0xff, 0, 0x7b, 0x22]);
    expect(await postWebhook(url, provider, bytes)).toBe(200);
    const waiting = async () =>
      shop.sql`select status, error from billing.inbox where dedupe_key like 'sha256:%' and status <> 'new'`;
    await expect
      .poll(waiting)
      .toEqual([{ status: 'done', error: expect.stringContaining('not understood') }]);
  });

  it('refuses a body that is too large, announced or not, before all of it came', async () => {
    const before = await stored();
    const large = 'x'.repeat(MAX_WEBHOOK + 1);
    expect(await postWebhook(url, provider, large)).toBe(413);
    expect(await postWebhook(url, provider, 'x'.repeat(MAX_WEBHOOK))).toBe(200);
    expect(await announce(url, provider, `content-length: ${50 * 1024 * 1024}`)).toContain('413');
    expect(await endless(url, provider)).toContain('413');
    expect((await stored()).length).toBe(before.length + 1);
  });

  it('takes no other method and no other name', async () => {
    expect((await fetch(`${url}/webhooks/${provider}`)).status).toBe(405);
    expect((await fetch(`${url}/webhooks/stripe`, { method: 'POST' })).status).toBe(404);
  });
});

describe('a webhook without its settings', () => {
  it('is closed with 503, so that its provider comes again, however it is signed', async () => {
    const shop = await openShop({ env: { CREEM_WEBHOOK_SECRET: '' } });
    const bare = await createTestApp();
    for (const secret of ['x', ' ']) {
      const headers = signWebhook('creem', '{}', secret);
      expect(await postWebhook(shop.app.url, 'creem', '{}', headers)).toBe(503);
      expect(await postWebhook(bare.url, 'creem', '{}', headers)).toBe(503);
    }
    expect(await shop.sql`select from billing.inbox`).toHaveLength(0);
    await Promise.all([shop.close(), bare.close()]);
  });
});

/** The head of a request that only says how much will follow. */
function announce(url: string, provider: string, length: string): Promise<string> {
  return converse(url, provider, length, () => {});
}

/** A chunked body without an end. Answers the first line of the response; rejects when the server reads for ever. */
async function endless(url: string, provider: string): Promise<string> {
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  let sent = 0;
  const line = await converse(url, provider, 'transfer-encoding: chunked', async (write, isOpen) => {
    while (isOpen() && sent < 200 * 0x10000) {
      write(chunk);
      sent += 0x10000;
      await wait(10);
    }
  });
  expect(sent).toBeLessThan(100 * 0x10000);
  return line;
}

function converse(
  url: string,
  provider: string,
  length: string,
  body: (write: (text: string) => void, isOpen: () => boolean) => void,
): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (bytes) => {
      answer += bytes;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''));
    socket.setTimeout(10_000, () => reject(new Error('no answer')));
    const head = `POST /webhooks/${provider} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${length}\r\n\r\n`;
    socket.write(head);
    body(
      (text) => socket.write(text),
      () => !socket.destroyed && answer === '',
    );
  });
}
