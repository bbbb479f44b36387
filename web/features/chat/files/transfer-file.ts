import { MAX_PIECE, MEGABYTE, TUS_VERSION } from '#contract/limits.ts';
import type { FileInfo, FileUsage } from '#contract/message/files.ts';
import { ApiError, callApi, errorFrom, TIMEOUT_MS } from '#web/lib/api.ts';
import type { Attachment } from './attachments.ts';

interface Transfer {
  /** The server's id; null for one that it has not heard of. */
  id: string | null;
  /** The id for one that it has not heard of. */
  newId: string;
  /** Its bytes; null after a reload. */
  file: File | null;
  /** A photo keeps the place where it was taken. */
  keepsPlace: boolean;
}

interface Watcher {
  signal: AbortSignal;
  onChange(change: Partial<Attachment>): void;
}

const AT_ONCE = 3;
const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000];
const POLL_MS = [200, 300, 500, 1_000];

/**
 * Uploads a file in pieces (https://tus.io/protocols/resumable-upload), goes on by itself when the network comes back, and waits
 * until the server has read it. Null when the upload is unfinished and its bytes are not here any more. Throws `ApiError`.
 */
export async function transferFile(transfer: Transfer, watcher: Watcher): Promise<FileInfo | null> {
  const { file } = transfer;
  if (!file) return watchReading(transfer.id ?? '', watcher, true);
  await takeSlot(watcher.signal);
  let id: string;
  try {
    id = await upload(transfer, file, watcher);
  } finally {
    giveSlot();
  }
  watcher.onChange({ state: 'reading', sent: file.size });
  return watchReading(id, watcher, false);
}

/**
 * Asks what may be uploaded now. What it returns says why the server would refuse a file, before a byte of it is sent; null: it would
 * not. `place`: of the file among those of its message, from 1.
 */
export async function askLimits(): Promise<(file: File, place: number) => ApiError | null> {
  const usage = await callApi<FileUsage>('/api/files/usage').catch(() => null);
  let taken = usage?.bytes ?? 0;
  return ({ name, size }, place) => {
    if (size === 0) return new ApiError('file_empty', { name });
    if (!usage) return null;
    const { quota, fileLimit, perMessage } = usage;
    if (size > fileLimit)
      return new ApiError('file_too_large', { name, limit: Math.floor(fileLimit / MEGABYTE) });
    if (place > perMessage) return new ApiError('too_many_files', { limit: perMessage });
    if (taken + size > quota)
      return new ApiError('file_storage_full', { limit: Math.floor(quota / MEGABYTE) });
    taken += size;
    return null;
  };
}

/**
 * Sends what the server does not have yet. Returns the server's id. `onChange` gets the id of a file that begins, also where it is not
 * wanted any more.
 */
async function upload(transfer: Transfer, file: File, watcher: Watcher): Promise<string> {
  const { id: known } = transfer;
  const { signal, onChange } = watcher;
  const id = known ?? (await begin(transfer, file, watcher));
  let offset = 0;
  if (known !== null) {
    offset = await untilReached(() => readOffset(id, file, signal), watcher);
    onChange({ state: 'uploading', sent: offset });
  }
  const path = `/api/files/${id}`;
  while (offset < file.size) {
    offset = await untilReached(async (isAgain) => {
      const from = isAgain ? await readOffset(id, file, signal) : offset;
      return from < file.size ? sendPiece(path, file, from, signal) : from;
    }, watcher);
    onChange({ state: 'uploading', sent: offset });
  }
  return id;
}

async function begin(transfer: Transfer, file: File, watcher: Watcher): Promise<string> {
  const { signal, onChange } = watcher;
  const id = await untilReached(() => create(transfer, file), watcher).catch((error) => {
    // It may be begun although no answer came.
    if (signal.aborted) onChange({ id: transfer.newId });
    throw error;
  });
  onChange({ id, state: 'uploading' });
  signal.throwIfAborted();
  return id;
}

async function sendPiece(path: string, file: File, from: number, signal: AbortSignal): Promise<number> {
  const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) };
  const body = file.slice(from, from + MAX_PIECE);
  try {
    const response = await ask(path, { method: 'PATCH', headers, body }, signal);
    return Number(response.headers.get('upload-offset'));
  } catch (error) {
    // To fetch, a file that was changed or deleted on its disk is a network that is gone.
    if (!(error instanceof ApiError) || error.code !== 'network' || (await canRead(body))) throw error;
    throw new ApiError('file_unreadable', { name: file.name });
  }
}

function canRead(piece: Blob): Promise<boolean> {
  const reading = piece.slice(0, 1).arrayBuffer();
  return reading.then(
    () => true,
    () => false,
  );
}

/**
 * Has the server begin a file, once, however often it is asked. It is not cut off: an answer that comes late says that there is a file
 * to delete.
 */
async function create({ newId, keepsPlace }: Transfer, file: File): Promise<string> {
  const name = btoa(String.fromCharCode(...new TextEncoder().encode(file.name)));
  const pairs = [
    `filename ${name}`,
    `id ${btoa(newId)}`,
    ...(keepsPlace ? [`keep_place ${btoa('true')}`] : []),
  ];
  const headers = { 'upload-length': String(file.size), 'upload-metadata': pairs.join(',') };
  const response = await ask('/api/files', { method: 'POST', headers });
  return response.headers.get('location')?.split('/').at(-1) ?? '';
}

/**
 * How much of a file the server has. All of it where it has the whole: that may be stored shorter than it was sent, as a photo without
 * its place is.
 */
async function readOffset(id: string, { size }: File, signal: AbortSignal): Promise<number> {
  const { headers } = await ask(`/api/files/${id}`, { method: 'HEAD' }, signal);
  const offset = headers.get('upload-offset');
  return offset === headers.get('upload-length') ? size : Number(offset);
}

/** One request of the protocol. Throws `ApiError`; `network` when no answer came. */
async function ask(path: string, init: RequestInit, stop?: AbortSignal): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = stop ? AbortSignal.any([stop, timeout]) : timeout;
  const headers = { ...init.headers, accept: 'application/json', 'tus-resumable': TUS_VERSION };
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers, credentials: 'same-origin', signal });
  } catch {
    stop?.throwIfAborted();
    throw new ApiError('network');
  }
  if (response.ok) return response;
  // A HEAD has no body that could say what was wrong.
  if (init.method === 'HEAD' && response.status === 404) throw new ApiError('file_deleted', {}, 404);
  throw errorFrom(response.status, await response.text().catch(() => ''));
}

/** Does it again, when the network is back, or the server, or where both sides disagree on how far they are. */
async function untilReached<T>(act: (isAgain: boolean) => Promise<T>, watcher: Watcher): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await act(tries > 0);
    } catch (error) {
      if (!(error instanceof ApiError) || !mayPass(error)) throw error;
      if (error.code !== 'upload_conflict') watcher.onChange({ state: 'lost' });
      await pause(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] ?? 0, watcher.signal);
    }
  }
}

/** Failures that pass by themselves. */
const PASSING: ReadonlySet<string> = new Set(['network', 'unavailable', 'rate_limited', 'upload_conflict']);

function mayPass({ code, params }: ApiError): boolean {
  // With the seconds to wait, too many are being sent; without, too many wait for a message.
  return PASSING.has(code) || (code === 'too_many_uploads' && 'seconds' in params);
}

/** Waits, but not longer than until the network is back. Throws when it is not wanted any more. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const go = () => resolve();
  addEventListener('online', go, { once: true });
  signal.addEventListener('abort', go, { once: true });
  await promise;
  clearTimeout(timer);
  removeEventListener('online', go);
  signal.removeEventListener('abort', go);
  signal.throwIfAborted();
}

/** Asks until the server has read the file. */
async function watchReading(id: string, watcher: Watcher, isBack: boolean): Promise<FileInfo | null> {
  for (let tries = 0; ; tries += 1) {
    const info = await untilReached(() => readInfo(id, watcher.signal), watcher);
    if (info.state === 'ready' || info.state === 'failed') return info;
    if (info.state === 'uploading' && isBack) return null;
    watcher.onChange({ state: 'reading', info });
    await pause(POLL_MS[Math.min(tries, POLL_MS.length - 1)] ?? 0, watcher.signal);
  }
}

async function readInfo(id: string, signal: AbortSignal): Promise<FileInfo> {
  try {
    return await callApi<FileInfo>(`/api/files/${id}`, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') throw new ApiError('file_deleted');
    throw error;
  }
}

let running = 0;
const waiting: (() => void)[] = [];

/** Only a few files are on their way at once. */
async function takeSlot(signal: AbortSignal): Promise<void> {
  if (running >= AT_ONCE) await new Promise<void>((go) => waiting.push(go));
  running += 1;
  if (!signal.aborted) return;
  giveSlot();
  signal.throwIfAborted();
}

function giveSlot(): void {
  running -= 1;
  waiting.shift()?.();
}
