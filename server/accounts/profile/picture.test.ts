import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserRecord } from '#contract/accounts.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { countWaiting } from '#test/database/held-user.ts';
import { IS_LONG } from '#test/runs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const upload = (client: TestClient, bytes: Uint8Array, type = 'image/png') =>
  client.request('/api/me/picture', {
    method: 'PUT',
    body: new Uint8Array(bytes),
    headers: { 'content-type': type },
  });
const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#b93a28' } });
const codeOf = async (response: Response) =>
  [response.status, ((await response.json()) as { error: { code: string } }).error.code] as const;

/** A PNG of one colour that says it is so large; its few bytes unpack to all of it. */
function bomb(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1e6))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('a picture', () => {
  it.runIf(IS_LONG).each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'in %s becomes a square WebP of 256 pixels',
    async (format) => {
      const client = await app.signedIn();
      const response = await upload(
        client,
        await drawn(700, 300).toFormat(format).toBuffer(),
        `image/${format}`,
      );
      const { photoURL } = (await response.json()) as UserRecord;
      const shown = await client.get(photoURL ?? '');
      expect(Object.fromEntries(shown.headers)).toMatchObject({
        'content-type': 'image/webp',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, max-age=31536000, immutable',
      });
      const made = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
      expect(made).toMatchObject({ format: 'webp', width: 256, height: 256 });
    },
  );

  it('stands upright and tells nothing of place and camera', async () => {
    const client = await app.signedIn();
    const half = await drawn(40, 80).png().toBuffer();
    const photo = await sharp({ create: { width: 80, height: 80, channels: 3, background: '#ffffff' } })
      .composite([{ input: half, left: 0, top: 0 }])
      .withExif({ IFD0: { Copyright: 'canary', Orientation: '3' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 3 })
      .jpeg()
      .toBuffer();
    const { photoURL } = (await (await upload(client, photo, 'image/jpeg')).json()) as UserRecord;
    const bytes = Buffer.from(await (await client.get(photoURL ?? '')).arrayBuffer());
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    expect(bytes.includes('canary')).toBe(false);
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const green = (x: number) => data[(128 * info.width + x) * info.channels + 1] ?? 0;
    expect(green(20)).toBeGreaterThan(200);
    expect(green(236)).toBeLessThan(120);
  });

  it.each([
    [
      'SVG, whatever it is called (CVE-2026-45314)',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'image/png',
    ],
    [
      'SVG as such',
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      'image/svg+xml',
    ],
    ['a page', '<!doctype html><script>alert(1)</script>', 'image/gif'],
    ['the first bytes of a PNG and nothing else', '\x89PNG\r\n\x1a\n', 'image/png'],
    ['nothing', '', 'image/png'],
  ])('is not %s', async (_what, content, type) => {
    const client = await app.signedIn();
    expect(await codeOf(await upload(client, Buffer.from(content, 'latin1'), type))).toEqual([
      422,
      'picture_unreadable',
    ]);
    expect(((await (await client.get('/api/me')).json()) as UserRecord).photoURL).toBeNull();
  });

  it('that unpacks to a billion pixels is refused before it is unpacked', async () => {
    const client = await app.signedIn();
    const before = process.cpuUsage();
    expect(await codeOf(await upload(client, bomb(40_000)))).toEqual([422, 'picture_too_large']);
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(3_000_000);
  });

  it('is at most 8 MB, and of a type that says so', async () => {
    const client = await app.signedIn();
    expect(await codeOf(await upload(client, Buffer.alloc(8 * 1024 * 1024 + 1)))).toEqual([
      413,
      'payload_too_large',
    ]);
    expect(await codeOf(await upload(client, Buffer.alloc(9), 'text/plain'))).toEqual([
      415,
      'unsupported_media_type',
    ]);
    const large = await client.request('/api/me', {
      method: 'PATCH',
      body: new Uint8Array(2e6),
      headers: { 'content-type': 'application/json' },
    });
    expect(large.status).toBe(413);
  });

  it('is seen by its user alone, changes its address with its content, and goes when it is taken away', async () => {
    const [client, stranger] = [await app.signedIn(), await app.signedIn()];
    const first = (await (await upload(client, await drawn(9, 9).png().toBuffer())).json()) as UserRecord;
    expect((await stranger.get(first.photoURL ?? '')).status).toBe(404);
    expect((await app.visit().get(first.photoURL ?? '')).status).toBe(401);
    const other = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#000' } })
      .png()
      .toBuffer();
    const second = (await (await upload(client, other)).json()) as UserRecord;
    expect(second.photoURL).not.toBe(first.photoURL);
    expect((await client.get(first.photoURL ?? '')).status).toBe(404);
    const gone = (await (await client.delete('/api/me/picture')).json()) as UserRecord;
    expect(gone.photoURL).toBeNull();
    expect((await client.get(second.photoURL ?? '')).status).toBe(404);
  });

  it.runIf(IS_LONG)(
    'that is taken away while another one is uploaded does not deadlock with it',
    async () => {
      const { sql } = app.database.database;
      const client = await app.signedIn();
      const png = await drawn(9, 9).png().toBuffer();
      const { uid } = (await (await upload(client, png)).json()) as UserRecord;
      const { sent } = await sql.begin(async (tx) => {
        await tx`select from pictures where user_id = ${uid} for update`;
        const removed = client.delete('/api/me/picture');
        await expect.poll(() => countWaiting(sql)).toBe(1);
        const changed = upload(client, png);
        await expect.poll(() => countWaiting(sql)).toBe(2);
        return { sent: [removed, changed] };
      });
      expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
    },
  );

  it.runIf(process.platform === 'linux')('is drawn in a process of its own', async () => {
    const countRead = async () => {
      const { values } = await app.deps.metrics.fileReadingCpu.get();
      const counts = values.filter(({ metricName }) => metricName?.endsWith('_count'));
      return counts.reduce((sum, { value }) => sum + value, 0);
    };
    const before = await countRead();
    const client = await app.signedIn();
    expect((await upload(client, await drawn(9, 9).png().toBuffer())).status).toBe(200);
    expect(await countRead()).toBe(before + 1);
  });

  it.runIf(IS_LONG)('is drawn in turn when many come at once', async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, () => app.signedIn()));
    const photo = await drawn(2000, 1500).jpeg().toBuffer();
    const answers = await Promise.all(clients.map((client) => upload(client, photo, 'image/jpeg')));
    expect(answers.map(({ status }) => status)).toEqual(clients.map(() => 200));
  });
});
