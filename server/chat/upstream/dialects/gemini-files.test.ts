import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { modelsFileSchema } from '#server/catalogue/upstream-chains.ts';
import { createGeminiFiles } from './gemini-files.ts';

/** Uploads a file to a provider that takes it and answers so. */
async function upload(answer: (response: ServerResponse) => void): Promise<unknown> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url !== '/bytes') response.setHeader('x-goog-upload-url', `${baseUrl}/bytes`).end('{}');
    else answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [route] = modelsFileSchema.parse({ m: [{ dialect: 'gemini', model: 'gemini-3.8-flash' }] }).m ?? [];
  if (!route) throw new Error('no route');
  const whole = { ...route, baseUrl, apiKey: 'key', missingSetting: null, prices: [] };
  const file = { type: 'application/pdf', data: Buffer.from('%PDF-1.7') };
  return createGeminiFiles('v1beta').upload(whole, file, new AbortController().signal);
}

test.each<[string, (response: ServerResponse) => void]>([
  [
    'breaks off',
    (response) => response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
  ],
  ['is longer than any description of a file', (response) => response.end(' '.repeat(2_000_000))],
])('an answer to an upload that %s is a connection that failed', async (_, answer) => {
  await expect(upload(answer)).rejects.toMatchObject({ name: 'UpstreamError', kind: 'connect' });
});

test('an answer to an upload describes the file', async () => {
  const file = { name: 'files/a', state: 'ACTIVE' };
  expect(await upload((response) => response.end(JSON.stringify({ file })))).toEqual(file);
});
