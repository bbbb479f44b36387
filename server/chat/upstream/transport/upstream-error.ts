import type { ErrorCode } from '#contract/errors.ts';
import type { AnswerMetadata } from './upstream.ts';

/**
 * What went wrong at a model provider.
 * `auth`, `balance`, `not_configured` are the operator's; `rate`, `overloaded`, `connect` pass by themselves;
 * `truncated`, `parse`, `model_error` are broken answers; `invalid_*`, `missing_model` are our own requests.
 */
export const UPSTREAM_ERROR_KINDS = [
  'aborted',
  'auth',
  'balance',
  'not_configured',
  'rate',
  'overloaded',
  'connect',
  'timeout',
  'not_found',
  'fetch',
  'blocked',
  'empty',
  'truncated',
  'parse',
  'model_error',
  'missing_model',
  'invalid_history',
  'invalid_content',
] as const;
export type UpstreamErrorKind = (typeof UPSTREAM_ERROR_KINDS)[number];

/** `files`: before the question is posted. */
export type ErrorPhase = 'files' | 'connect' | 'first_token' | 'idle' | 'total';

export interface UpstreamErrorDetails {
  /** HTTP status of the provider's answer, or the `code` of an error inside a stream. */
  status?: number | null;
  /** How long the provider asks us to wait, in milliseconds. */
  retryAfterMs?: number | null;
  /** The provider's own word for it: `API_KEY_INVALID`, `SAFETY`, `insufficient_quota`, … */
  vendorCode?: string | null;
  phase?: ErrorPhase | null;
  /** The metadata of the answer when it broke. */
  metadata?: AnswerMetadata | null;
  cause?: unknown;
}

/** The `finishReason`s by which Gemini refuses to make a picture (ai.google.dev/api/generate-content#FinishReason). */
const PICTURE_CODES = new Map<string | null, ErrorCode>([
  ['NO_IMAGE', 'picture_not_made'],
  ['IMAGE_OTHER', 'picture_not_made'],
  ['IMAGE_SAFETY', 'picture_blocked'],
  ['IMAGE_PROHIBITED_CONTENT', 'picture_blocked'],
  ['IMAGE_RECITATION', 'picture_blocked'],
]);

/** The one error of the model client. `message` is for operators and logs and never holds a prompt or a key. */
export class UpstreamError extends Error {
  readonly kind: UpstreamErrorKind;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly vendorCode: string | null;
  readonly phase: ErrorPhase | null;
  readonly metadata: AnswerMetadata | null;

  constructor(kind: UpstreamErrorKind, message: string, details: UpstreamErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'UpstreamError';
    this.kind = kind;
    this.status = details.status ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.vendorCode = details.vendorCode ?? null;
    this.phase = details.phase ?? null;
    this.metadata = details.metadata ?? null;
  }

  /** The code that the user gets; an `aborted` answer is the caller's own doing and has none of its own. */
  get code(): ErrorCode {
    const picture = PICTURE_CODES.get(this.vendorCode);
    if (picture) return picture;
    if (this.kind === 'blocked') return 'upstream_blocked';
    if (this.kind === 'empty') return 'upstream_empty';
    if (this.kind === 'timeout') return 'upstream_timeout';
    return 'upstream_failed';
  }
}
