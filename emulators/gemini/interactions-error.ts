import type { ServerResponse } from 'node:http';
import type { Fault } from '../fault.ts';
import { answerJson } from '../http-server.ts';
import { messageOf } from './gemini-error.ts';

/** Codes of the Interactions API by their status (ai.google.dev/gemini-api/docs/api-errors). */
const CODES: Record<number, string> = {
  400: 'invalid_request',
  401: 'authentication',
  402: 'payment_required',
  403: 'permission_denied',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
  499: 'cancelled',
  500: 'api_error',
  501: 'unimplemented',
  503: 'service_unavailable',
  504: 'deadline_exceeded',
};

/** The code that goes with a status. */
export function codeOf(status: number): string {
  return CODES[status] ?? 'api_error';
}

/** An error body, or the error of a stream. */
export function interactionError(code: string, message = 'The request failed.') {
  return { error: { message, code } };
}

/** Answers with a refusal. */
export function refuseInteraction(response: ServerResponse, status: number, message?: string) {
  answerJson(response, status, interactionError(codeOf(status), message));
}

/** Answers with the refusal that a scenario asks for. Assumed: how long to wait is said by `retry-after`. */
export function refuseAsOrdered(response: ServerResponse, fault: Fault, model: string) {
  const status = fault.badKey ? 401 : fault.status;
  const code = fault.daily ? 'quota_exceeded' : codeOf(status);
  const wait = fault.retryMs === null ? {} : { 'retry-after': String(fault.retryMs / 1_000) };
  answerJson(response, status, interactionError(code, messageOf(fault, model)), wait);
}
