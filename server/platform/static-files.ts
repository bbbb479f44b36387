import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { pageSecurityPolicy, SCRIPT_POLICY, sandboxHeaders } from './security-headers.ts';

type Encoding = 'br' | 'gzip';

/** One built file, as it is sent. */
export interface StaticFile {
  body: Buffer;
  headers: Record<string, string>;
  etag: string;
  isCompressible: boolean;
}

/** What the front end's build made, kept in memory. */
export interface StaticFiles {
  /** The file of a path such as `/assets/a.js`, or the page of `/zh/chat`; null without one. */
  find(path: string): StaticFile | null;
  /** The page that starts on any path of the application; null when nothing was built. */
  fallback: StaticFile | null;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.data': 'text/x-script; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
/** What the build puts beside a file that it compressed. */
const SUFFIX: Record<Encoding, string> = { br: '.br', gzip: '.gz' };
/** Bytes up to which compressing is not worth a header. */
const SMALL = 200;
const WITH_ORIGIN = ['.html', '.xml', '.txt', '.webmanifest'];

/**
 * Reads the built front end in `folder`; a missing folder has no files. `originPlaceholder` in pages and other documents
 * becomes `origin`. `others`: what pages may load from elsewhere (security-headers.ts).
 */
export function loadStaticFiles(
  folder: string,
  origin: string,
  originPlaceholder: string,
  others: readonly string[] = [],
): StaticFiles {
  const files = new Map<string, StaticFile>();
  const paths = listFiles(folder).filter((path) => !Object.values(SUFFIX).includes(extname(path)));
  for (const path of paths) {
    const bytes = readFileSync(join(folder, path));
    const hasOrigin = WITH_ORIGIN.includes(extname(path));
    const body = hasOrigin ? Buffer.from(bytes.toString().replaceAll(originPlaceholder, origin)) : bytes;
    const file = makeFile(path, body, others);
    files.set(`/${path}`, file);
    compressed.set(file, readCompressed(join(folder, path)));
  }
  return {
    find: (path) =>
      path.endsWith('.html') ? null : (files.get(path) ?? files.get(`${path}/index.html`) ?? null),
    fallback: files.get('/__spa-fallback.html') ?? files.get('/index.html') ?? null,
  };
}

function listFiles(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
  } catch {
    return [];
  }
}

function makeFile(path: string, body: Buffer, others: readonly string[]): StaticFile {
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  const isPage = path.endsWith('.html');
  const isSandboxed = path.startsWith('sandbox/');
  const isHashed = /^(sandbox\/)?assets\//.test(path);
  const isFresh = isPage || path.endsWith('.data');
  const revalidated = isFresh ? 'no-cache' : 'public, max-age=3600';
  const headers = {
    'content-type': type,
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : revalidated,
    vary: 'accept-encoding',
    ...(path.endsWith('.js') ? { 'content-security-policy': SCRIPT_POLICY } : {}),
    ...(isPage ? { 'content-security-policy': pageSecurityPolicy(body.toString(), others) } : {}),
    // Signing in with Google opens a popup, and the page that opened it must see it close.
    ...(isPage ? { 'cross-origin-opener-policy': 'same-origin-allow-popups' } : {}),
    ...(isSandboxed ? sandboxHeaders(path) : {}),
  };
  const etag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { body, headers, etag, isCompressible: type.includes('charset') && body.length > SMALL };
}

const compressed = new WeakMap<StaticFile, Map<Encoding, Promise<Buffer>>>();

/** The compressed copies of a file that the build made. */
function readCompressed(path: string): Map<Encoding, Promise<Buffer>> {
  const made = new Map<Encoding, Promise<Buffer>>();
  for (const encoding of ['br', 'gzip'] as const) {
    const copy = path + SUFFIX[encoding];
    if (existsSync(copy)) made.set(encoding, Promise.resolve(readFileSync(copy)));
  }
  return made;
}

/** The answer to a request for a file: 304 when the caller has it, else its bytes in the best encoding the caller takes. */
export async function sendStaticFile(file: StaticFile, request: Request): Promise<Response> {
  const encoding = file.isCompressible ? chooseEncoding(request.headers.get('accept-encoding') ?? '') : null;
  const etag = `"${file.etag}${encoding ? `-${encoding}` : ''}"`;
  const headers: Record<string, string> = { ...file.headers, etag };
  const known = request.headers.get('if-none-match')?.split(',') ?? [];
  if (known.some((one) => one.trim().replace(/^W\//, '') === etag))
    return new Response(null, { status: 304, headers });
  if (encoding) headers['content-encoding'] = encoding;
  const body = encoding ? await compressOnce(file, encoding) : file.body;
  headers['content-length'] = String(body.length);
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), { headers });
}

function chooseEncoding(accepted: string): Encoding | null {
  const offers = accepted.split(',').map((part) => part.trim().split(/\s*;\s*/));
  const takes = (name: Encoding) =>
    offers.some(([offer, q]) => offer === name && !/^q=0(\.0*)?$/.test(q ?? ''));
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : null;
}

function compressOnce(file: StaticFile, encoding: Encoding): Promise<Buffer> {
  const made = compressed.get(file) ?? new Map<Encoding, Promise<Buffer>>();
  compressed.set(file, made);
  const one = made.get(encoding) ?? compress(file.body, encoding);
  made.set(encoding, one);
  return one;
}

function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(body, { level: 9 });
  return promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
}
