import type { Fault } from '../fault.ts';

const STATUS_WORDS: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'RESOURCE_EXHAUSTED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

const MESSAGES: Record<number, string> = {
  400: 'Request contains an invalid argument.',
  401: 'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  402: 'Your prepayment credits are depleted. Please go to AI Studio to manage your project and billing.',
  403: 'The caller does not have permission',
  404: 'models/unknown is not found for API version v1beta, or is not supported for generateContent. Call ModelService.ListModels to see the list of available models and their supported methods.',
  500: 'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
  503: 'The model is overloaded. Please try again later.',
  504: 'The request timed out. Please try again.',
};

const TYPE = 'type.googleapis.com/google.rpc.';

/** An error body as Google's API answers it. */
export function geminiError(status: number, message: string, details?: unknown[]) {
  const word = STATUS_WORDS[status] ?? 'UNKNOWN';
  return { error: { code: status, message, status: word, ...(details ? { details } : {}) } };
}

/** The answer to a wrong, empty or missing key. */
export function keyError() {
  const message = 'API key not valid. Please pass a valid API key.';
  return geminiError(400, message, [
    {
      '@type': `${TYPE}ErrorInfo`,
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    },
    { '@type': `${TYPE}LocalizedMessage`, locale: 'en-US', message },
  ]);
}

function quotaError(fault: Fault, model: string) {
  if (fault.retryMs === null && !fault.daily) {
    return geminiError(429, 'Resource has been exhausted (e.g. check quota).');
  }
  const seconds = (fault.retryMs ?? 0) / 1_000;
  const message = `You exceeded your current quota, please check your plan and billing details. Please retry in ${seconds}s.`;
  const per = fault.daily ? 'PerDay' : 'PerMinute';
  const violation = {
    quotaMetric: 'generativelanguage.googleapis.com/generate_content_paid_tier_requests',
    quotaId: `GenerateRequests${per}PerProjectPerModel`,
    quotaDimensions: { location: 'global', model },
    quotaValue: '20',
  };
  return geminiError(429, message, [
    { '@type': `${TYPE}QuotaFailure`, violations: [violation] },
    {
      '@type': `${TYPE}Help`,
      links: [
        {
          description: 'Learn more about Gemini API quotas',
          url: 'https://ai.google.dev/gemini-api/docs/rate-limits',
        },
      ],
    },
    { '@type': `${TYPE}RetryInfo`, retryDelay: `${seconds}s` },
  ]);
}

/** What Google says where it does not serve a model, or a tool of it. */
export function messageOf({ status, notServed }: Fault, model: string): string {
  if (notServed === 'only-interactions') return 'This model only supports Interactions API.';
  if (notServed === 'no-computer-use') return `Computer Use is not enabled for models/${model}`;
  return MESSAGES[status] ?? 'Unknown error.';
}

/** The body of the refusal that a scenario asks for. */
export function faultBody(fault: Fault, model: string) {
  if (fault.badKey) return keyError();
  if (fault.status === 429) return quotaError(fault, model);
  return geminiError(fault.status, messageOf(fault, model));
}
