import type { Refusal } from '../transport/http-pool.ts';
import {
  asObject,
  kindOfStatus,
  parseJson,
  readCode,
  readRetryAfter,
  refused,
} from '../transport/provider-refusal.ts';
import type { UpstreamError, UpstreamErrorKind } from '../transport/upstream-error.ts';

const RETRY_DELAY = /^(\d+(?:\.\d+)?)s$/;

/** google.rpc.Code words, for errors inside a stream that come without a number. */
const STATUS_OF_WORD: Record<string, number> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  UNKNOWN: 500,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

interface Details {
  reason: string | null;
  retryAfterMs: number | null;
  isDaily: boolean;
}

function readDetails(value: unknown): Details {
  const details: Details = { reason: null, retryAfterMs: null, isDaily: false };
  for (const each of Array.isArray(value) ? value.map(asObject) : []) {
    const type = String(each['@type'] ?? '');
    if (type.endsWith('ErrorInfo')) details.reason = readCode(each.reason);
    if (type.endsWith('RetryInfo')) {
      const seconds = RETRY_DELAY.exec(String(each.retryDelay ?? ''))?.[1];
      if (seconds !== undefined) details.retryAfterMs = Number(seconds) * 1_000;
    }
    if (type.endsWith('QuotaFailure')) details.isDaily = /PerDay/.test(JSON.stringify(each.violations ?? ''));
  }
  return details;
}

function kindOf(status: number, reason: string | null, message: string): UpstreamErrorKind {
  if (reason === 'API_KEY_INVALID') return 'auth';
  if (status === 400 && /cached ?content/i.test(message)) return 'cached_content_conflict';
  return kindOfStatus(status);
}

/** The error for Google's `error` object, in a refusal or inside a stream; `headers` only with a refusal. */
export function readGeminiError(value: unknown, refusal: Refusal | null): UpstreamError {
  const error = asObject(value);
  const word = readCode(error.status);
  const code = typeof error.code === 'number' ? error.code : null;
  const status = refusal?.status ?? code ?? STATUS_OF_WORD[word ?? ''] ?? 500;
  const { reason, retryAfterMs, isDaily } = readDetails(error.details);
  const kind = kindOf(status, reason, String(error.message ?? ''));
  return refused(kind, status, {
    vendorCode: isDaily ? 'QUOTA_PER_DAY' : (reason ?? word),
    retryAfterMs: retryAfterMs ?? (refusal ? readRetryAfter(refusal, Date.now()) : null),
  });
}

/** The error for a refusal of the Gemini API; without `alt=sse` its body is a list of one. */
export function readGeminiRefusal(refusal: Refusal): UpstreamError {
  const body = parseJson(refusal.body);
  const first: unknown = Array.isArray(body) ? body[0] : body;
  return readGeminiError(asObject(first).error, refusal);
}
