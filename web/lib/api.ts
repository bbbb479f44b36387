import { CAPTCHA_HEADER } from '#contract/choices.ts';
import type { ErrorBody, ErrorCode, ErrorParams } from '#contract/errors.ts';
import { awaitRenewal } from './session-renewal.ts';

declare global {
  interface Window {
    /** By path: what the head's script asked for before any code of the page was here (before-paint.ts). */
    earlyAnswers?: Record<string, Promise<Response>>;
  }
}

/** How long the server may take to say anything. */
export const TIMEOUT_MS = 30_000;

/** Milliseconds of the page from which on these answers are too old. */
const OLD_MS = 20_000;

/** `network`: no answer came, so whether the server did it is unknown. */
export type ApiErrorCode = ErrorCode | 'network';

/** What a call to our server failed with. Its text is `errors.<code>` in `i18n/`, with `params` filled in. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly params: ErrorParams;
  /** The HTTP status; null when no answer came. */
  readonly status: number | null;

  constructor(code: ApiErrorCode, params: ErrorParams = {}, status: number | null = null) {
    super(code);
    this.name = 'ApiError';
    this.code = code;
    this.params = params;
    this.status = status;
  }
}

export interface ApiRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal;
  /** The browser sends it even when the page is left at once. */
  keepalive?: boolean;
  /** Proves that a person asks, where the server wants to know. */
  captcha?: string | undefined;
}

/**
 * Calls our own server with the session cookie and returns the parsed JSON (undefined for an empty answer).
 * Throws `ApiError`: the server's own code and params, or `network` when no answer came within 30 seconds.
 * When `signal` aborts, its reason is thrown instead. A request refused while the session gets another cookie is sent once more.
 */
export async function callApi<T>(path: string, request: ApiRequest = {}): Promise<T> {
  try {
    return await callOnce<T>(path, request);
  } catch (error) {
    const isRefused = error instanceof ApiError && error.code === 'unauthenticated';
    if (!isRefused || !(await awaitRenewal())) throw error;
    return callOnce<T>(path, request);
  }
}

/**
 * Whether the server may have carried out a request that ends the session, though `error` came of it: the answer was lost, or that of an
 * earlier try was lost and the session is over.
 */
export function mayBeDone(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'network' || error.code === 'unauthenticated');
}

/** Deletes what stands at a path. What is gone is deleted: the answer to an earlier click may have been lost. Throws `ApiError`. */
export async function deleteAt(path: string): Promise<void> {
  try {
    await callApi(path, { method: 'DELETE' });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
  }
}

async function callOnce<T>(path: string, request: ApiRequest): Promise<T> {
  const { method = 'GET', body, captcha, keepalive = false } = request;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  try {
    const early = method === 'GET' ? await takeEarlyAnswer(path, signal) : null;
    const response =
      early ??
      (await fetch(path, {
        method,
        credentials: 'same-origin',
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(captcha === undefined ? {} : { [CAPTCHA_HEADER]: captcha }),
        },
        signal,
        keepalive,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }));
    const text = await untilAborted(response.text(), signal);
    if (!response.ok) throw errorFrom(response.status, text);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  } catch (error) {
    request.signal?.throwIfAborted();
    throw error instanceof ApiError ? error : new ApiError('network');
  }
}

/** The error that an answer other than 2xx stands for; a body that is not ours (a proxy's page) counts as `unavailable`. */
export function errorFrom(status: number, body: string): ApiError {
  const parsed = parseErrorBody(body);
  if (parsed) return new ApiError(parsed.error.code, parsed.error.params ?? {}, status);
  return new ApiError(status >= 502 && status <= 504 ? 'unavailable' : 'internal', {}, status);
}

function parseErrorBody(body: string): ErrorBody | null {
  try {
    const value = JSON.parse(body) as Partial<ErrorBody> | null;
    return typeof value?.error?.code === 'string' ? (value as ErrorBody) : null;
  } catch {
    return null;
  }
}

/** The answer that was asked for before the page's code was here, once; null for anything else. Rejects when `signal` aborts. */
async function takeEarlyAnswer(path: string, signal: AbortSignal): Promise<Response | null> {
  const early = globalThis.window?.earlyAnswers;
  const answer = early?.[path];
  if (!answer || performance.now() > OLD_MS) return null;
  delete early[path];
  return untilAborted(
    answer.catch(() => null),
    signal,
  );
}

/** What `work` gives; rejects when `signal` aborts, which work begun without it does not see. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}

/** What was asked for was another reader's. */
export function clearEarlyAnswers(): void {
  delete globalThis.window?.earlyAnswers;
}
