import type { UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
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

/** 1113 is Zhipu's; it and `insufficient_quota` come with HTTP 429, `Arrearage` with 400. */
const BALANCE = new Set(['insufficient_quota', 'insufficient_balance', 'Arrearage', '1113']);
const AUTH = new Set(['invalid_api_key', 'InvalidApiKey', 'authentication_error']);
const BLOCKED = new Set([
  'content_filter',
  'content_policy_violation',
  'data_inspection_failed',
  'DataInspectionFailed',
]);
const GONE = new Set(['model_not_found', 'ModelNotFound', 'model_not_supported']);

function kindOf(status: number, codes: string[], message: string, route: UpstreamRoute): UpstreamErrorKind {
  const has = (known: ReadonlySet<string>) => codes.some((code) => known.has(code));
  if (has(BALANCE) || codes.some((code) => route.balanceCodes.includes(code))) return 'balance';
  if (has(AUTH)) return 'auth';
  if (has(BLOCKED)) return 'blocked';
  if (has(GONE) || (status === 400 && /model not exist/i.test(message))) return 'not_found';
  return kindOfStatus(status);
}

/**
 * The error for an error object in one of the shapes in use: `{"error":{message,type,code}}`, `{"error":"text"}`,
 * `{"code","message"}`. `refusal` is null inside a stream, where only a numeric code can stand for the status.
 */
export function readOpenaiError(body: unknown, refusal: Refusal | null, route: UpstreamRoute): UpstreamError {
  const outer = asObject(body);
  const error = typeof outer.error === 'object' && outer.error !== null ? asObject(outer.error) : outer;
  const codes = [error.code, error.type].map(readCode).filter((code) => code !== null);
  const number = Number(codes.find((code) => /^[45]\d\d$/.test(code)) ?? Number.NaN);
  const status = refusal?.status ?? (Number.isNaN(number) ? 500 : number);
  const message = typeof outer.error === 'string' ? outer.error : String(error.message ?? '');
  return refused(kindOf(status, codes, message, route), status, {
    vendorCode: codes[0] ?? null,
    retryAfterMs: refusal ? readRetryAfter(refusal, Date.now()) : null,
  });
}

/** The error for a refusal, whose body may be no JSON at all. */
export function readOpenaiRefusal(refusal: Refusal, route: UpstreamRoute): UpstreamError {
  return readOpenaiError(parseJson(refusal.body), refusal, route);
}
