import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { API_READERS } from '#server/files/ingest/read-in-slot.ts';
import { apiUser } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { picture } from '#test/chat/files.ts';
import { askedParts, dataUrl, file, image, question } from '#test/files/api-parts.ts';
import { flatGif, makePicture } from '#test/hostile-files/hostile-pictures.ts';
import { IS_LONG } from '#test/runs.ts';

/** A JPEG that says where it was taken. */
let photo: Buffer;
const pictures = createServer((_, response) => response.end(photo));
let app: TestApp;
beforeAll(async () => {
  photo = await makePicture('jpeg');
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  const { port } = pictures.address() as AddressInfo;
  app = await createTestApp({ env: { FETCH_TEST_HOSTS: `pictures.test=127.0.0.1:${port}` } });
});
beforeEach(() => app.gemini.reset());
afterAll(async () => {
  await app.close();
  pictures.close();
});

/** The pictures that the model was given. */
async function picturesSent(): Promise<{ mimeType: string; data: Buffer }[]> {
  const given = (await askedParts(app.gemini)).flatMap(({ inlineData }) => (inlineData ? [inlineData] : []));
  return (given as { mimeType: string; data: string }[]).map(({ mimeType, data }) => ({
    mimeType,
    data: Buffer.from(data, 'base64'),
  }));
}

test('a picture reaches its model without its place and camera, however it is sent', async () => {
  const { client } = await apiUser(app);
  expect(photo.includes('SECRETPLACE')).toBe(true);
  const parts = [
    image(dataUrl('image/jpeg', photo)),
    file(photo, 'photo.jpg', 'image/jpeg'),
    image('https://pictures.test/photo'),
  ];
  await client.chat.completions.create(question(...parts));
  const sent = await picturesSent();
  expect(sent).toHaveLength(3);
  for (const { mimeType, data } of sent) {
    expect(mimeType).toBe('image/jpeg');
    expect(data.includes('SECRETPLACE') || data.includes('SecretCam')).toBe(false);
    expect((await sharp(data).metadata()).autoOrient).toMatchObject({ width: 40, height: 60 });
  }
});

test.runIf(IS_LONG)('a HEIC reaches its model as a JPEG without its place', async () => {
  const { client } = await apiUser(app);
  const heic = readFileSync('server/files/reading/fixtures/heif-enc.heic');
  expect(heic.includes('SECRETPLACE')).toBe(true);
  await client.chat.completions.create(question(image(dataUrl('image/heic', heic))));
  const [sent] = await picturesSent();
  expect(sent?.mimeType).toBe('image/jpeg');
  expect(sent?.data.includes('SECRETPLACE')).toBe(false);
  expect(await sharp(sent?.data).metadata()).toMatchObject({ format: 'jpeg', width: 96, height: 64 });
});

/** Bytes by which the memory of this process, in which the server runs, grows at most while `work` goes on. */
async function growthWhile(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 10);
  await work();
  clearInterval(timer);
  return most - before;
}

test.runIf(IS_LONG)('a picture that unpacks to 90 MB does so outside of the server', async () => {
  const { client } = await apiUser(app);
  const ask = (gif: Buffer) => client.chat.completions.create(question(image(dataUrl('image/gif', gif))));
  await ask(flatGif(10));
  expect(await growthWhile(() => ask(flatGif(4_740)))).toBeLessThan(60 * 1_048_576);
  expect((await picturesSent())[0]?.mimeType).toMatch(/^image\/(png|jpeg)$/);
});

/** The most processes that this one has at a moment while `work` goes on, those aside that were there before. */
async function processesWhile(work: () => Promise<unknown>): Promise<number> {
  const count = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
  const before = count();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, count());
  }, 5);
  await work();
  clearInterval(timer);
  return most - before;
}

test.runIf(IS_LONG)(
  'pictures of a request are read side by side, in all places but the last, and given in their order',
  async () => {
    const { client } = await apiUser(app);
    const widths = Array.from({ length: 8 }, (_, n) => 10 + n);
    const flat = await Promise.all(widths.map((width) => picture('png', width)));
    const images = flat.map((png) => image(dataUrl('image/png', png)));
    const most = await processesWhile(() => client.chat.completions.create(question(...images)));
    expect(most).toBe(Math.max(1, API_READERS - 1));
    const sent = await Promise.all((await picturesSent()).map(({ data }) => sharp(data).metadata()));
    expect(sent.map(({ width }) => width)).toEqual(widths);
  },
);

test.runIf(IS_LONG)(
  'of several pictures that cannot be read the first is named, also where another is known sooner',
  async () => {
    const { client } = await apiUser(app);
    const cut = image(dataUrl('image/jpeg', photo.subarray(0, 40)));
    const text = image(dataUrl('image/jpeg', Buffer.from('text')));
    const whole = image(dataUrl('image/jpeg', photo));
    const refused = await client.chat.completions.create(question(whole, cut, text)).catch((error) => error);
    expect(refused).toMatchObject({ status: 400, code: 'file_unreadable' });
    expect(refused.param).toMatch(/^messages\.0\.content\.2\./);
    expect(await app.gemini.requests()).toEqual([]);
  },
);
