import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { loadStaticFiles, sendStaticFile } from './static-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-static-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SCRIPT = 'export const a = 1;\n'.repeat(200);
mkdirSync(join(folder, 'assets'));
mkdirSync(join(folder, 'zh/chat'), { recursive: true });
writeFileSync(join(folder, 'assets/a-1.js'), SCRIPT);
writeFileSync(join(folder, 'assets/a-1.js.br'), brotliCompressSync(`${SCRIPT}// from the build`));
writeFileSync(join(folder, 'assets/b-1.js'), SCRIPT);
writeFileSync(
  join(folder, 'zh/chat/index.html'),
  '<link rel="canonical" href="https://here.invalid/zh/chat"><script>run()</script>',
);
const files = loadStaticFiles(folder, 'https://parley.example', 'https://here.invalid');

async function fetchFile(path: string, headers: Record<string, string> = {}) {
  const file = files.find(path);
  if (!file) throw new Error(`no ${path}`);
  const response = await sendStaticFile(file, new Request(`http://localhost${path}`, { headers }));
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

it('sends the copy that the build compressed, and compresses what it did not', async () => {
  const { response, bytes } = await fetchFile('/assets/a-1.js', { 'accept-encoding': 'gzip, br' });
  expect(response.headers.get('content-encoding')).toBe('br');
  expect(brotliDecompressSync(bytes).toString()).toBe(`${SCRIPT}// from the build`);
  const other = await fetchFile('/assets/b-1.js', { 'accept-encoding': 'gzip, br;q=0' });
  expect(other.response.headers.get('content-encoding')).toBe('gzip');
  expect(gunzipSync(other.bytes).toString()).toBe(SCRIPT);
  expect((await fetchFile('/assets/b-1.js')).bytes.toString()).toBe(SCRIPT);
});

it('keeps hashed files for good, and pages only as long as they are the same', async () => {
  const script = await fetchFile('/assets/a-1.js');
  expect(script.response.headers.get('cache-control')).toContain('immutable');
  const page = await fetchFile('/zh/chat');
  const etag = page.response.headers.get('etag') ?? '';
  expect((await fetchFile('/zh/chat', { 'if-none-match': etag })).response.status).toBe(304);
});

it('writes the public origin into pages and allows their inline scripts alone', async () => {
  const { response, bytes } = await fetchFile('/zh/chat');
  expect(bytes.toString()).toContain('https://parley.example/zh/chat');
  expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self' 'sha256-[^ ]+';/);
});

it('knows no compressed copy by its own name, and nothing outside the folder', () => {
  expect(files.find('/assets/a-1.js.br')).toBeNull();
  expect(files.find('/../etc/passwd')).toBeNull();
  expect(files.find('/zh/chat/index.html')).toBeNull();
});
