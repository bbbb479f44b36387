import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, openPage } from '#test/dom/page.ts';
import { uploadPicture } from './upload-picture.ts';

let server: Server;
beforeEach(async () => {
  server = createServer((_, response) => response.end('<p>Log in to this network</p>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  closePage();
  server.close();
});

test('a picture that a page of the network answers is said not to have been sent', async () => {
  const picture = new File(['picture'], 'me.png', { type: 'image/png' });
  await expect(uploadPicture(picture, () => {})).rejects.toMatchObject({ code: 'network' });
});
