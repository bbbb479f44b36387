import type { Language } from '#contract/choices.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { ApiErrorBody } from '#contract/openai.ts';
import { errorKey } from '#i18n/error-key.ts';
import type { AppError } from '#server/errors.ts';
import { translate } from '#server/platform/translate.ts';

interface ErrorForm {
  /** Where it differs from that of our own API. */
  status?: number;
  type?: string;
  /** Where OpenAI has a word of its own. */
  code?: string;
  /** Keeps OpenAI's clients from trying again by themselves, as they do after 409, 429 and 5xx. */
  isFinal?: boolean;
}

const INVALID = 'invalid_request_error';

/**
 * Our codes as OpenAI's clients expect them (platform.openai.com/docs/guides/error-codes): the status decides which error
 * class is raised, the code what a program looks at.
 */
const ERROR_FORMS: Partial<Record<ErrorCode, ErrorForm>> = {
  invalid_request: { status: 400 },
  prompt_empty: { status: 400 },
  file_empty: { status: 400 },
  file_too_large: { status: 400 },
  file_type_unsupported: { status: 400 },
  file_unreadable: { status: 400 },
  file_encrypted: { status: 400 },
  file_too_complex: { status: 400 },
  too_many_files: { status: 400 },
  model_reads_no_files: { status: 400 },
  address_unreadable: { status: 400 },
  context_too_long: { status: 400, code: 'context_length_exceeded' },
  unknown_model: { code: 'model_not_found' },
  model_not_allowed: { type: 'permission_error' },
  model_paused: { isFinal: true },
  model_not_in_key: { type: 'permission_error', code: 'model_not_allowed' },
  address_not_allowed: { type: 'permission_error' },
  account_frozen: { type: 'permission_error' },
  insufficient_credits: {
    status: 429,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    isFinal: true,
  },
  monthly_cap_reached: { type: 'insufficient_quota', isFinal: true },
  rate_limited: { type: 'requests', code: 'rate_limit_exceeded' },
  too_many_running: { type: 'requests', code: 'rate_limit_exceeded' },
  too_many_streams: { type: 'requests', code: 'rate_limit_exceeded' },
  too_many_unanswered: { type: 'requests', isFinal: true },
  idempotency_key_reused: { isFinal: true },
  request_stopped: { isFinal: true },
  upstream_blocked: { status: 400, code: 'content_filter' },
  picture_blocked: { status: 400, code: 'content_filter' },
  picture_not_made: { isFinal: true },
  not_configured: { isFinal: true },
};

export interface PresentedError {
  status: number;
  body: ApiErrorBody;
  headers: Record<string, string>;
}

/** A fault in OpenAI's shape. */
export function presentError(fault: AppError, language: Language): PresentedError {
  const { code, params } = fault;
  const form = ERROR_FORMS[code] ?? {};
  const status = form.status ?? fault.status;
  const seconds = typeof params.seconds === 'number' ? params.seconds : code === 'unavailable' ? 2 : null;
  return {
    status,
    body: {
      error: {
        message: translate(language, errorKey(code, params), params),
        type: form.type ?? (status >= 500 ? 'server_error' : INVALID),
        param: paramOf(code, params),
        code: form.code ?? code,
      },
    },
    headers: {
      ...(seconds === null ? {} : { 'retry-after': String(seconds) }),
      ...(form.isFinal ? { 'x-should-retry': 'false' } : {}),
    },
  };
}

function paramOf(code: ErrorCode, { field }: AppError['params']): string | null {
  if (typeof field === 'string') return field;
  if (code === 'context_too_long') return 'messages';
  return code.includes('model') ? 'model' : null;
}
