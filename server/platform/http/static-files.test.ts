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
writeFileSync(join(folder, 'assets/a-1.js'), SCRIPT);
writeFileSync(join(folder, 'assets/a-1.js.br'), brotliCompressSync(`${SCRIPT}// from the build`));
writeFileSync(join(folder, 'assets/b-1.js'), SCRIPT);
for (const page of [
  'sandbox/diagram',
  'sandbox/picture',
  'sandbox/suggestions',
  'sandbox/pdf',
  'sandbox/assets',
  'zh',
])
  mkdirSync(join(folder, page), { recursive: true });
for (const page of ['sandbox/diagram', 'sandbox/picture', 'sandbox/suggestions', 'sandbox/pdf', 'zh'])
  writeFileSync(join(folder, page, 'index.html'), '<!doctype html><title>a</title>');
writeFileSync(join(folder, 'sandbox/assets/c-1.js'), SCRIPT);
writeFileSync(join(folder, 'picture.avif'), 'AVIF');
writeFileSync(join(folder, 'service-worker.js'), SCRIPT);
const files = loadStaticFiles(folder, '', ' ');

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
  const zipped = await fetchFile('/assets/a-1.js', { 'accept-encoding': 'gzip' });
  expect(gunzipSync(zipped.bytes).toString()).toBe(`${SCRIPT}// from the build`);
  const plain = await fetchFile('/assets/a-1.js');
  expect(plain.response.headers.has('content-encoding')).toBe(false);
  expect(plain.bytes.toString()).toBe(`${SCRIPT}// from the build`);
  const etags = [response, zipped.response, plain.response].map(({ headers }) => headers.get('etag'));
  expect(new Set(etags).size).toBe(3);
  const other = await fetchFile('/assets/b-1.js', { 'accept-encoding': 'gzip, br;q=0' });
  expect(other.response.headers.get('content-encoding')).toBe('gzip');
  expect(gunzipSync(other.bytes).toString()).toBe(SCRIPT);
  expect((await fetchFile('/assets/b-1.js')).bytes.toString()).toBe(SCRIPT);
});

it('says of a picture what it is', async () => {
  const { response } = await fetchFile('/picture.avif', { 'accept-encoding': 'gzip, br' });
  expect(response.headers.get('content-type')).toBe('image/avif');
  expect(response.headers.has('content-encoding')).toBe(false);
});

it('knows no compressed copy by its own name', () => {
  expect(files.find('/assets/a-1.js.br')).toBeNull();
});

it('lets pages load from elsewhere only what they are told to', () => {
  const policyOf = (others: string[]) =>
    loadStaticFiles(folder, '', ' ', others).find('/zh')?.headers['content-security-policy'] ?? '';
  expect(policyOf([])).not.toMatch(/https:|frame-src|connect-src/);
  const policy = policyOf(['https://captcha.example']);
  for (const name of ['script-src', 'style-src', 'frame-src', 'connect-src'])
    expect(policy).toContain(`${name} 'self' https://captcha.example;`);
  expect(policy).toContain("object-src 'none'; base-uri 'none'");
});

it('lets our own pages frame a sandboxed document, which has no origin and may load what it is for', () => {
  const policies = ['diagram', 'picture', 'suggestions', 'pdf'].map((page) => {
    const { headers } = files.find(`/sandbox/${page}`) ?? {};
    expect(headers?.['x-frame-options']).toBe('SAMEORIGIN');
    return headers?.['content-security-policy'] ?? '';
  });
  for (const policy of policies) {
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self'; .*frame-ancestors 'self'; sandbox allow-scripts( allow-popups allow-popups-to-escape-sandbox)?$/,
    );
    expect(policy).not.toContain('allow-same-origin');
  }
  expect(policies[0]).toContain("style-src 'unsafe-inline'; img-src data:;");
  expect(policies[1]).toContain('img-src https:;');
  expect(policies[2]).toContain("style-src 'unsafe-inline'; img-src data:;");
  expect(policies[3]).toContain("script-src 'self'; worker-src 'self' blob:; base-uri");
  expect(policies.map((policy) => policy.includes('allow-popups'))).toEqual([false, false, true, false]);
  expect(files.find('/zh')?.headers['content-security-policy']).toContain("img-src 'self' data:; object-src");
});

it('lets a document without an origin read the scripts of the sandbox, and no others', () => {
  expect(files.find('/sandbox/assets/c-1.js')?.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(files.find('/assets/a-1.js')?.headers).not.toHaveProperty('access-control-allow-origin');
});

it('has the service worker asked for anew each time, and lets it fetch from us alone', async () => {
  const { response } = await fetchFile('/service-worker.js');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  const policy = "default-src 'none'; script-src 'self'; connect-src 'self'";
  expect(response.headers.get('content-security-policy')).toBe(policy);
  const other = await fetchFile('/assets/a-1.js');
  expect(other.response.headers.get('content-security-policy')).not.toContain('connect-src');
});
