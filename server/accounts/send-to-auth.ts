import type { ErrorCode } from '#contract/errors.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/limits.ts';
import { AppError } from '#server/errors.ts';
import { type Auth, CLIENT_ADDRESS_HEADER } from './create-auth.ts';

/** A request that our own routes have checked and now hand to better-auth. */
export interface AuthCall {
  request: Request;
  /** The client's address, as the server knows it. */
  address: string;
  /** Replaces the body of the request; without one nothing is sent. */
  body?: Record<string, unknown>;
}

const CODES: Record<string, ErrorCode> = {
  INVALID_EMAIL_OR_PASSWORD: 'invalid_credentials',
  INVALID_PASSWORD: 'invalid_credentials',
  INVALID_EMAIL: 'email_invalid',
  USER_ALREADY_EXISTS: 'email_taken',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email_taken',
  PASSWORD_TOO_SHORT: 'password_too_short',
  PASSWORD_TOO_LONG: 'password_too_long',
  UNAUTHORIZED: 'unauthenticated',
};

/** What better-auth answers. Throws `AppError` where it refuses, and `FailedSignUp` when it could not store a new user. */
export async function sendToAuth(auth: Auth, { request, address, body }: AuthCall): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.set(CLIENT_ADDRESS_HEADER, address);
  headers.delete('content-length');
  headers.delete('transfer-encoding');
  if (body) headers.set('content-type', 'application/json');
  const { method, url } = request;
  const sent = body ? { method, headers, body: JSON.stringify(body) } : { method, headers };
  const response = await auth.handler(new Request(url, sent));
  if (response.ok) return response;
  throw translateRefusal(response.status, await readCode(response));
}

/** better-auth hides why; an address that was taken a moment before is one reason. */
export class FailedSignUp extends Error {}

async function readCode(response: Response): Promise<string> {
  const answer: unknown = await response.json().catch(() => null);
  return typeof answer === 'object' && answer && 'code' in answer ? String(answer.code) : '';
}

function translateRefusal(status: number, word: string): Error {
  if (word === 'FAILED_TO_CREATE_USER') return new FailedSignUp('a user could not be stored');
  const code = CODES[word];
  if (code) return new AppError(code, paramsOf(code));
  if (status < 500) return new AppError('invalid_request', { field: 'body' });
  return new Error(`better-auth answered ${status} ${word}`);
}

function paramsOf(code: ErrorCode) {
  if (code === 'password_too_short') return { limit: PASSWORD_MIN };
  return code === 'password_too_long' ? { limit: PASSWORD_MAX } : {};
}
