import type { Refusal } from '../transport/http-pool.ts';
import {
  asObject,
  kindOfStatus,
  parseJson,
  readCode,
  readRetryAfter,
  refused,
} from '../transport/provider-refusal.ts';
import { UpstreamError, type UpstreamErrorKind } from '../transport/upstream-error.ts';

const RETRY_DELAY = /^(\d+(?:\.\d+)?)s$/;

/** The reasons of the content filter, as a `finishReason` or as the code of an error. */
export const BLOCKED: readonly string[] = [
  'SAFETY',
  'PROHIBITED_CONTENT',
  'BLOCKLIST',
  'SPII',
  'RECITATION',
  'LANGUAGE',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'CONTENT_BLOCKED',
];

/** Words that say more than the status they come with. */
const KIND_OF_WORD: ReadonlyMap<string, UpstreamErrorKind> = new Map<string, UpstreamErrorKind>([
  ['API_KEY_INVALID', 'auth'],
  ['MALFORMED_FUNCTION_CALL', 'model_error'],
  ['MALFORMED_TOOL_CALL', 'model_error'],
  ['UNEXPECTED_TOOL_CALL', 'model_error'],
  ['TOO_MANY_TOOL_CALLS', 'model_error'],
  ['MISSING_THOUGHT_SIGNATURE', 'model_error'],
  ...BLOCKED.map((word) => [word, 'blocked'] as const),
]);

/**
 * For errors inside a stream that come without a number: words of google.rpc.Code, and in capitals the codes of the Interactions
 * API (ai.google.dev/gemini-api/docs/api-errors).
 */
const STATUS_OF_WORD: Record<string, number> = {
  INVALID_ARGUMENT: 400,
  INVALID_REQUEST: 400,
  PARAMETER_UNKNOWN: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  AUTHENTICATION: 401,
  PAYMENT_REQUIRED: 402,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  MODEL_NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  RATE_LIMIT_EXCEEDED: 429,
  QUOTA_EXCEEDED: 429,
  TOO_MANY_REQUESTS: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  UNKNOWN: 500,
  API_ERROR: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  SERVICE_UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

/** Codes by which an endpoint may report that it does not serve a model or a tool of it. No code of Google's means that alone. */
const NOT_SERVED: ReadonlySet<string> = new Set([
  'INVALID_ARGUMENT',
  'INVALID_REQUEST',
  'PARAMETER_UNKNOWN',
  'FAILED_PRECONDITION',
  'NOT_FOUND',
  'MODEL_NOT_FOUND',
  'UNIMPLEMENTED',
]);

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

/** The error for Google's `error` object, in a refusal or inside a stream; `refusal`: null inside a stream. */
export function readGeminiError(value: unknown, refusal: Refusal | null): UpstreamError {
  const error = asObject(value);
  const code = typeof error.code === 'number' ? error.code : null;
  const { reason, retryAfterMs, isDaily } = readDetails(error.details);
  const named = readCode(error.status) ?? (code === null ? readCode(error.code) : null);
  const word = named?.toUpperCase() ?? null;
  const guessed = STATUS_OF_WORD[word ?? ''] ?? (KIND_OF_WORD.has(word ?? '') ? 400 : 500);
  const status = refusal?.status ?? code ?? guessed;
  const kind = KIND_OF_WORD.get(reason ?? word ?? '') ?? kindOfStatus(status);
  return refused(kind, status, {
    vendorCode: isDaily || word === 'QUOTA_EXCEEDED' ? 'QUOTA_PER_DAY' : (reason ?? word),
    retryAfterMs: retryAfterMs ?? (refusal ? readRetryAfter(refusal, Date.now()) : null),
  });
}

/** The error for a refusal of the Gemini API; without `alt=sse` its body is a list of one. */
export function readGeminiRefusal(refusal: Refusal): UpstreamError {
  const body = parseJson(refusal.body);
  const first: unknown = Array.isArray(body) ? body[0] : body;
  return readGeminiError(asObject(first).error, refusal);
}

/** Whether an endpoint refused a request as one that it does not serve; its own mistakes are among them, a wrong key is not. */
export function isNotServed(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return false;
  return (error.kind === 'fetch' || error.kind === 'not_found') && NOT_SERVED.has(error.vendorCode ?? '');
}
