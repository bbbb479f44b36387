import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { readInfo, sha256Of, upload } from '#test/files/files.ts';
import { makePicture } from '#test/hostile-files/hostile-pictures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test('a picture is stored without the place where it was taken, unless its user chose to keep it', async () => {
  const client = await app.signedIn();
  const photo = await makePicture('jpeg');
  expect(photo.includes('SECRETPLACE')).toBe(true);
  for (const choice of [undefined, 'false', 'true']) {
    const keepsPlace = choice === 'true';
    const id = await upload(client, photo, 'photo.jpg', choice);
    expect(await readInfo(client, id)).toMatchObject({ keepsPlace });
    await expect.poll(async () => (await readInfo(client, id)).state).toBe('ready');
    const stored = Buffer.from(await (await client.get(`/api/files/${id}/content`)).arrayBuffer());
    expect(stored.includes('SECRETPLACE')).toBe(keepsPlace);
    expect(stored.equals(photo)).toBe(keepsPlace);
    const sha256 = sha256Of(stored);
    expect(await readInfo(client, id)).toMatchObject({ keepsPlace, sha256, bytes: stored.length });
  }
});
