import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { afterAll, describe, expect, it } from 'vitest';
import { pageRoutes } from './page-routes.ts';
import { loadStaticFiles } from './static-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SCRIPT = 'export const long = 1;\n'.repeat(200);
const page = (name: string) =>
  `<!DOCTYPE html><html data-origin="https://origin.invalid"><script>start(${name.length})</script><script src="/assets/a-1.js"></script><p>${name}</p></html>`;
const FILES: Record<string, string> = {
  'zh/index.html': page('home'),
  'zh/pricing/index.html': page('pricing'),
  'en/pricing/index.html': page('en pricing'),
  'en/chat/index.html': page('en chat'),
  'privacy/index.html': page('privacy'),
  'index.html': page('fallback'),
  'assets/a-1.js': SCRIPT,
  'admin/assets/a-1.js': SCRIPT,
  'assets/pixel-1.png': 'png',
  'robots.txt': 'Sitemap: https://origin.invalid/sitemap.xml',
};
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const files = loadStaticFiles(folder, 'https://parley.example', 'https://origin.invalid');
const routes = new Hono().route(
  '/',
  pageRoutes(files, { pageFor: (path) => /^(\/(?:zh|en)\/chat)\/[^/]+$/.exec(path)?.[1] ?? null }),
);
routes.onError((error, c) => c.text(error.message, 404));
const get = (path: string, headers: Record<string, string> = {}) => routes.request(path, { headers });

describe('a path', () => {
  it.each([
    ['/', '/zh'],
    ['/?from=mail', '/zh?from=mail'],
    ['/nothing', '/zh'],
    ['/zh/nothing', '/zh'],
    ['/en/nothing/deep', '/zh'],
    ['/fr', '/zh'],
    ['/fr/pricing', '/zh/pricing'],
    ['/fr/chat/abc', '/zh/chat/abc'],
    ['/zh/pricing/', '/zh/pricing'],
    ['//evil.example/', '/evil.example'],
    ['//evil.example/zh', '/zh'],
    ['/%5Cevil.example/', '/%5Cevil.example'],
    ['/%5C/evil.example/', '/%5C/evil.example'],
    ['/zh/%0D%0ASet-Cookie:x=1/', '/zh/%0D%0ASet-Cookie:x=1'],
    ['/zh/%E4%BD%A0%E5%A5%BD/', '/zh/%E4%BD%A0%E5%A5%BD'],
    ['/zh/%E0%A4%A', '/zh'],
    ['/index', '/zh'],
  ])('%s leads to %s', async (path, target) => {
    const response = await routes.request(`http://localhost${path}`);
    expect([301, 302, 308]).toContain(response.status);
    expect(response.headers.get('location')).toBe(target);
  });

  it.each([
    ['/zh', 'home'],
    ['/zh/pricing', 'pricing'],
    ['/en/pricing', 'en pricing'],
    ['/privacy', 'privacy'],
    ['/zh/chat/0198', 'fallback'],
    ['/en/chat/0198', 'en chat'],
  ])('%s shows the page %s', async (path, name) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain(`<p>${name}</p>`);
  });

  it.each([
    '/assets/none.js',
    '/zh/index.html',
    '/index.html',
    '/../package.json',
    '/assets/..%2f..%2fx.ts',
    '/.env',
  ])('%s is not found', async (path) => {
    const response = await routes.request(`http://localhost${path}`);
    expect([response.status, await response.text()]).toEqual([404, 'not_found']);
  });
});

describe('a page', () => {
  it('knows the origin that users see', async () => {
    expect(await (await get('/zh')).text()).toContain('data-origin="https://parley.example"');
    expect(await (await get('/robots.txt')).text()).toBe('Sitemap: https://parley.example/sitemap.xml');
  });

  it('allows exactly the inline scripts it was built with', async () => {
    const policy = (await get('/zh')).headers.get('content-security-policy') ?? '';
    const hash = createHash('sha256').update('start(4)').digest('base64');
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("object-src 'none'; base-uri 'none'");
  });

  it('is revalidated, and not sent again to who has it', async () => {
    const first = await get('/zh');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag') ?? '';
    const again = await get('/zh', { 'if-none-match': `"x", W/${etag}` });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect((await get('/zh/pricing', { 'if-none-match': etag })).status).toBe(200);
  });
});

describe('a built file', () => {
  it.each(['/assets/a-1.js', '/admin/assets/a-1.js'])('never changes under its name: %s', async (path) => {
    expect((await get(path)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br;q=0.5', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ] as const)('is compressed for who accepts %s', async (accepted, encoding, decompress) => {
    const response = await get('/assets/a-1.js', { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('accept-encoding');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBe(Number(response.headers.get('content-length')));
    expect(decompress(bytes).toString()).toBe(SCRIPT);
  });

  it('is sent as it is to who accepts nothing else, and when it is an image', async () => {
    expect((await get('/assets/a-1.js')).headers.get('content-encoding')).toBeNull();
    expect(
      (await get('/assets/a-1.js', { 'accept-encoding': 'identity' })).headers.get('content-encoding'),
    ).toBeNull();
    expect(
      (await get('/assets/pixel-1.png', { 'accept-encoding': 'br' })).headers.get('content-encoding'),
    ).toBeNull();
  });

  it('of another encoding has another tag', async () => {
    const tags = await Promise.all(
      ['identity', 'br', 'gzip'].map(async (encoding) =>
        (await get('/assets/a-1.js', { 'accept-encoding': encoding })).headers.get('etag'),
      ),
    );
    expect(new Set(tags).size).toBe(3);
  });

  it('has no body for a HEAD', async () => {
    const response = await routes.request('/assets/a-1.js', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
    expect(response.headers.get('content-length')).toBe(String(SCRIPT.length));
  });
});

it('without a build there are no pages, and everything else works', async () => {
  const empty = pageRoutes(loadStaticFiles(join(folder, 'none'), '', ' '), { pageFor: () => '/zh/chat' });
  expect((await empty.request('/zh')).status).toBe(302);
});
