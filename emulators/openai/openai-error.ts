import type { Fault } from '../fault.ts';

interface Refusal {
  type: string;
  code: string | null;
  message: string;
}

const REFUSALS: Record<number, Refusal> = {
  400: { type: 'invalid_request_error', code: null, message: 'Invalid request.' },
  401: { type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect API key provided.' },
  402: { type: 'insufficient_balance', code: 'insufficient_balance', message: 'Insufficient Balance' },
  403: {
    type: 'invalid_request_error',
    code: 'forbidden',
    message: 'You do not have access to this resource.',
  },
  404: {
    type: 'invalid_request_error',
    code: 'model_not_found',
    message: 'The model does not exist or you do not have access to it.',
  },
  429: { type: 'requests', code: 'rate_limit_exceeded', message: 'Rate limit reached for requests.' },
  500: {
    type: 'server_error',
    code: null,
    message: 'The server had an error while processing your request. Sorry about that!',
  },
  503: {
    type: 'server_error',
    code: 'overloaded',
    message: 'The engine is currently overloaded, please try again later.',
  },
};

const QUOTA: Refusal = {
  type: 'insufficient_quota',
  code: 'insufficient_quota',
  message: 'You exceeded your current quota, please check your plan and billing details.',
};

/** An error body in OpenAI's shape. */
export function openaiError(status: number, overrides: Partial<Refusal & { param: string }> = {}) {
  const refusal = REFUSALS[status] ?? { type: 'server_error', code: null, message: `HTTP ${status}` };
  return { error: { param: null, ...refusal, ...overrides } };
}

/** The body and headers of the refusal that a scenario asks for; a daily quota is OpenAI's `insufficient_quota`. */
export function faultAnswer(fault: Fault) {
  const headers: Record<string, string> =
    fault.status === 429 && fault.retryMs !== null
      ? { 'retry-after': String(Math.ceil(fault.retryMs / 1_000)), 'retry-after-ms': String(fault.retryMs) }
      : {};
  const status = fault.badKey ? 401 : fault.status;
  return { status, headers, body: openaiError(status, fault.status === 429 && fault.daily ? QUOTA : {}) };
}
