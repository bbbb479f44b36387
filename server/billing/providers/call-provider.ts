import { setTimeout as wait } from 'node:timers/promises';
import { readBounded } from '#server/platform/read-bounded.ts';
import { Fields } from './fields.ts';
import { ProviderError } from './provider-error.ts';
import { type CalledProvider, providerErrorOf, statusError } from './refusal.ts';

export interface CallTimes {
  /** Until the head of the answer is here, connecting included. */
  answerMs: number;
  /** Until its end. */
  totalMs: number;
  /** Before each repetition of a GET. */
  retryMs: readonly number[];
}

const DEFAULT_TIMES: CallTimes = { answerMs: 10_000, totalMs: 20_000, retryMs: [200, 1_000] };

/** How a provider is called, beside its settings. */
export interface CallOptions extends Pick<CalledProvider, 'onKeyRefused'> {
  times?: CallTimes;
}

export interface CallerOptions extends CalledProvider, CallOptions {
  baseUrl: string;
  apiKey: string;
}

/** Calls one provider's API. Both reject with `ProviderError` only, and give the JSON object of an answer of 2xx. */
export interface Caller {
  /** Repeated when the provider is unavailable, not when it was slow; parameters that are null are left out. */
  get(path: string, query?: Record<string, string | number | null>): Promise<Fields>;
  /** Never repeated. */
  post(path: string, body?: unknown): Promise<Fields>;
}

const MAX_BYTES = 4 * 1024 * 1024;

/** The caller for the API at `baseUrl`; the key travels in `x-api-key` and in nothing else. */
export function createCaller(options: CallerOptions): Caller {
  const { provider, baseUrl, apiKey, times = DEFAULT_TIMES } = options;
  async function call(method: 'GET' | 'POST', url: string, body: string | null): Promise<Fields> {
    const controller = new AbortController();
    const late = () => controller.abort(new DOMException('too late', 'TimeoutError'));
    const ofAnswer = setTimeout(late, times.answerMs);
    const ofAll = setTimeout(late, times.totalMs);
    try {
      const response = await fetch(url, {
        method,
        body,
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json', accept: 'application/json' },
        redirect: 'manual',
        signal: controller.signal,
      });
      clearTimeout(ofAnswer);
      const text = await readBounded(response, MAX_BYTES);
      return readAnswer(options, response.status, text);
    } catch (error) {
      throw providerErrorOf(provider, error);
    } finally {
      clearTimeout(ofAnswer);
      clearTimeout(ofAll);
    }
  }

  async function get(path: string, query: Record<string, string | number | null> = {}) {
    const url = new URL(`${baseUrl}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== null) url.searchParams.set(name, String(value));
    }
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await call('GET', url.href, null);
      } catch (error) {
        const pause = times.retryMs[attempt];
        if (pause === undefined || !isPassing(error)) throw error;
        await wait(pause);
      }
    }
  }

  return { get, post: (path, body) => call('POST', `${baseUrl}${path}`, JSON.stringify(body ?? {})) };
}

function isPassing(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === 'unavailable';
}

function readAnswer(called: CalledProvider, status: number, text: string): Fields {
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    body = null;
  }
  const fields = new Fields(body);
  if (status < 200 || status >= 300) throw statusError(called, status, fields);
  if (!fields.exists)
    throw new ProviderError(called.provider, 'malformed', status, 'the answer is no JSON object');
  return fields;
}
