import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '#contract/time.ts';
import type { UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import { readBounded } from '#server/platform/read-bounded.ts';
import { asObject, parseJson } from '../transport/provider-refusal.ts';
import type { FileCopy } from '../transport/upstream.ts';
import { UpstreamError } from '../transport/upstream-error.ts';
import { readGeminiRefusal } from './gemini-refusal.ts';

/** Google's own clients send pieces of this length, in bytes. */
const PIECE = 8 * 1024 * 1024;
const CALL_TIMEOUT_MS = MINUTE_MS;
const POLL_FIRST_MS = 200;
const MAX_POLL_MS = 3_000;
/** An answer at most, in bytes: one that describes a file has less than a thousand. */
const MAX_ANSWER = 1024 * 1024;

export interface GeminiFiles {
  /** Uploads a file. Returns Google's description of it, for `waitForActive`. Rejects with `UpstreamError`. */
  upload(route: UpstreamRoute, file: UploadedFile, signal: AbortSignal): Promise<Record<string, unknown>>;
  /** Waits until an uploaded file can be used, however long it takes. Rejects with `UpstreamError`. */
  waitForActive(
    route: UpstreamRoute,
    uploaded: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<FileCopy>;
  /** Deletes a copy; one that is gone already is fine. Rejects with `UpstreamError`. */
  delete(route: UpstreamRoute, name: string, signal: AbortSignal): Promise<void>;
}

export interface UploadedFile {
  type: string;
  data: Buffer;
}

/** The project whose files a key sees, as a hash: a key of another project sees none of them. The key cannot be derived from it. */
export function projectOf({ baseUrl, apiKey }: Pick<UpstreamRoute, 'baseUrl' | 'apiKey'>): string {
  return createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex').slice(0, 32);
}

/** Google's Files API (ai.google.dev/api/files): resumable upload in pieces; what is there goes after 48 hours. */
export function createGeminiFiles(version: string): GeminiFiles {
  return {
    async upload(route, { type, data }, signal) {
      const target = await start(route, version, { type, length: data.length }, signal);
      let answer: unknown;
      for (let at = 0; at < data.length; at += PIECE) {
        const piece = data.subarray(at, at + PIECE);
        const isLast = at + PIECE >= data.length;
        const headers = {
          'x-goog-upload-command': isLast ? 'upload, finalize' : 'upload',
          'x-goog-upload-offset': String(at),
        };
        const { text } = await call(target, { method: 'POST', headers, body: new Uint8Array(piece) }, signal);
        answer = parseJson(text);
      }
      return asObject(asObject(answer).file);
    },

    waitForActive: (route, uploaded, signal) => waitForActive(route, version, uploaded, signal),

    async delete(route, name, signal) {
      const url = addressOf(route, version, name);
      try {
        await call(url, { method: 'DELETE', headers: headersOf(route) }, signal);
      } catch (error) {
        const isGone = error instanceof UpstreamError && (error.status === 403 || error.status === 404);
        if (!isGone) throw error;
      }
    },
  };
}

function headersOf(route: UpstreamRoute): Record<string, string> {
  return { ...route.headers, 'x-goog-api-key': route.apiKey ?? '' };
}

function addressOf(route: UpstreamRoute, version: string, name: string): URL {
  if (!/^files\/[a-z0-9-]+$/.test(name)) throw new UpstreamError('parse', 'the file has no name');
  return new URL(`${route.baseUrl}/${version}/${name}`);
}

/** Announces a file. Returns the URL for its bytes. */
async function start(
  route: UpstreamRoute,
  version: string,
  { type, length }: { type: string; length: number },
  signal: AbortSignal,
): Promise<URL> {
  const headers = {
    ...headersOf(route),
    'content-type': 'application/json',
    'x-goog-upload-protocol': 'resumable',
    'x-goog-upload-command': 'start',
    'x-goog-upload-header-content-length': String(length),
    'x-goog-upload-header-content-type': type,
  };
  const url = new URL(`${route.baseUrl}/upload/${version}/files`);
  // Its name is the user's own affair: it stands in the request that reads it.
  const body = JSON.stringify({ file: {} });
  const answer = await call(url, { method: 'POST', headers, body }, signal);
  const target = URL.parse(answer.headers.get('x-goog-upload-url') ?? '');
  if (!target) throw new UpstreamError('parse', 'the upload has no address');
  return target;
}

/** The copy as soon as the provider has looked through it. */
async function waitForActive(
  route: UpstreamRoute,
  version: string,
  first: Record<string, unknown>,
  signal: AbortSignal,
): Promise<FileCopy> {
  let file = first;
  for (let wait = POLL_FIRST_MS; file.state === 'PROCESSING'; wait = Math.min(wait * 2, MAX_POLL_MS)) {
    await sleep(wait, undefined, { signal });
    const url = addressOf(route, version, String(file.name));
    const { text } = await call(url, { headers: headersOf(route) }, signal);
    file = asObject(parseJson(text));
  }
  const { state, name, uri, expirationTime } = file;
  if (state === 'FAILED') throw new UpstreamError('invalid_content', 'the provider could not read a file');
  const expiresAt = new Date(String(expirationTime));
  const isWhole = typeof name === 'string' && typeof uri === 'string' && !Number.isNaN(expiresAt.getTime());
  if (!isWhole) throw new UpstreamError('parse', 'the answer to an upload is no file');
  return { name, uri, expiresAt };
}

interface Answer {
  headers: Headers;
  text: string;
}

/** One call that was answered 2xx. Rejects with the refusal, `connect`, or `aborted` when the caller has stopped. */
async function call(url: URL, init: RequestInit, signal: AbortSignal): Promise<Answer> {
  let response: Response;
  let text: string;
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
    response = await fetch(url, { ...init, redirect: 'error', signal: limit });
    text = await readBounded(response, MAX_ANSWER);
  } catch (cause) {
    if (signal.aborted) throw new UpstreamError('aborted', 'stopped by the caller', { cause });
    throw new UpstreamError('connect', 'no connection for a file', { cause });
  }
  const { ok, status, headers } = response;
  if (ok) return { headers, text };
  throw readGeminiRefusal({ status, headers: Object.fromEntries(headers), body: text.slice(0, 65_536) });
}
