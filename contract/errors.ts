import type { Quote } from './message/quotes.ts';

/** Every error code that leaves the server, with its HTTP status. The text of a code is `errors.<code>` in `i18n/`. */
export const ERROR_STATUS = {
  invalid_request: 422,
  invalid_json: 400,
  json_too_complex: 400,
  unsupported_parameter: 400,
  context_too_long: 413,
  unauthenticated: 401,
  second_step_over: 401,
  passkey_refused: 401,
  invalid_signature: 401,
  invalid_api_key: 401,
  insufficient_credits: 402,
  forbidden: 403,
  cross_site_request: 403,
  confirmation_required: 403,
  link_needs_account: 403,
  confirmation_mismatch: 422,
  model_not_allowed: 403,
  model_not_in_key: 403,
  address_not_allowed: 403,
  account_frozen: 403,
  account_leaving: 403,
  last_sign_in: 409,
  not_found: 404,
  unknown_model: 404,
  method_not_allowed: 405,
  conflict: 409,
  key_reused: 409,
  quote_changed: 409,
  idempotency_key_reused: 409,
  request_stopped: 409,
  too_many_keys: 409,
  too_many_passkeys: 409,
  passkey_taken: 409,
  parent_still_running: 409,
  plan_already_active: 409,
  checkout_blocked: 403,
  subscription_not_ready: 409,
  subscription_replaced: 409,
  resume_not_possible: 409,
  downgrade_charges_today: 409,
  not_a_downgrade: 409,
  payment_provider_failed: 502,
  payload_too_large: 413,
  prompt_too_long: 413,
  unsupported_media_type: 415,
  prompt_empty: 422,
  picture_unreadable: 422,
  picture_too_large: 422,
  email_taken: 422,
  reset_link_invalid: 422,
  email_link_invalid: 422,
  sign_in_link_invalid: 422,
  email_already_verified: 409,
  email_same: 422,
  email_invalid: 422,
  code_invalid: 422,
  password_too_short: 422,
  password_too_long: 422,
  invalid_credentials: 401,
  captcha_required: 403,
  captcha_failed: 403,
  captcha_unavailable: 503,
  rate_limited: 429,
  sign_in_limited: 429,
  monthly_cap_reached: 429,
  too_many_running: 429,
  too_many_streams: 429,
  too_many_unanswered: 429,
  internal: 500,
  upstream_failed: 502,
  upstream_blocked: 502,
  upstream_empty: 502,
  upstream_timeout: 504,
  interrupted: 503,
  not_configured: 503,
  unavailable: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

export type ErrorParams = Record<string, string | number>;

/** The body of every error answer outside `/v1`. */
export interface ErrorBody {
  error: {
    code: ErrorCode;
    message: string;
    params: ErrorParams;
    /** With `quote_changed`: what it would cost now. */
    quote?: Quote;
  };
}
