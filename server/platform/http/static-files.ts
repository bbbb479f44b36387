import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib';
import {
  pageSecurityPolicy,
  SCRIPT_POLICY,
  SERVICE_WORKER_POLICY,
  sandboxHeaders,
} from './security-headers.ts';

type Encoding = 'br' | 'gzip';

/** One built file. */
export interface StaticFile {
  /** The file, compressed where the build did that: the plain bytes of a program are four times as many, and hardly ever asked for. */
  kept: Buffer;
  keptAs: 'br' | 'plain';
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
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const SERVICE_WORKER = 'service-worker.js';
/** What the build puts beside a file that it compressed. */
const COMPRESSED = '.br';
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
  const names = new Set(listFiles(folder));
  for (const path of names) {
    if (path.endsWith(COMPRESSED)) continue;
    const keptAs = names.has(path + COMPRESSED) ? 'br' : 'plain';
    const bytes = readFileSync(join(folder, keptAs === 'br' ? path + COMPRESSED : path));
    const hasOrigin = WITH_ORIGIN.includes(extname(path));
    const kept = hasOrigin ? Buffer.from(bytes.toString().replaceAll(originPlaceholder, origin)) : bytes;
    files.set(`/${path}`, makeFile(path, { kept, keptAs }, others));
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

function makeFile(
  path: string,
  { kept, keptAs }: Pick<StaticFile, 'kept' | 'keptAs'>,
  others: readonly string[],
): StaticFile {
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  const isPage = path.endsWith('.html');
  const isSandboxed = path.startsWith('sandbox/');
  const isHashed = /^((sandbox|admin)\/)?assets\//.test(path);
  const isServiceWorker = path === SERVICE_WORKER;
  const isFresh = isPage || isServiceWorker || path.endsWith('.data');
  const revalidated = isFresh ? 'no-cache' : 'public, max-age=3600';
  const headers = {
    'content-type': type,
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : revalidated,
    vary: 'accept-encoding',
    ...(path.endsWith('.js') ? { 'content-security-policy': SCRIPT_POLICY } : {}),
    ...(isPage ? { 'content-security-policy': pageSecurityPolicy(kept.toString(), others) } : {}),
    // Signing in with Google opens a popup, and the page that opened it must see it close.
    ...(isPage ? { 'cross-origin-opener-policy': 'same-origin-allow-popups' } : {}),
    ...(isServiceWorker ? { 'content-security-policy': SERVICE_WORKER_POLICY } : {}),
    ...(isSandboxed ? sandboxHeaders(path) : {}),
  };
  const etag = createHash('sha256').update(kept).digest('base64url').slice(0, 22);
  const isCompressible = keptAs === 'br' || (type.includes('charset') && kept.length > SMALL);
  return { kept, keptAs, headers, etag, isCompressible };
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
  const body = encoding ? await compressOnce(file, encoding) : await plainOf(file);
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

/** The file as it was before the build compressed it. Not kept. */
async function plainOf({ kept, keptAs }: StaticFile): Promise<Buffer> {
  return keptAs === 'br' ? promisify(brotliDecompress)(kept) : kept;
}

const compressed = new WeakMap<StaticFile, Map<Encoding, Promise<Buffer>>>();

/** The file in an encoding, made at the first request for it. */
async function compressOnce(file: StaticFile, encoding: Encoding): Promise<Buffer> {
  if (encoding === file.keptAs) return file.kept;
  const made = compressed.get(file) ?? new Map<Encoding, Promise<Buffer>>();
  compressed.set(file, made);
  const one = made.get(encoding) ?? plainOf(file).then((plain) => compress(plain, encoding));
  made.set(encoding, one);
  return one;
}

function compress(plain: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(plain, { level: 9 });
  return promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
}
