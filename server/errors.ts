import { ERROR_STATUS, type ErrorCode, type ErrorParams } from '#contract/errors.ts';

/** A fault that the caller receives: a stable code, and the values its text names. Anything else thrown is a bug (500). */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly params: ErrorParams;

  constructor(code: ErrorCode, params: ErrorParams = {}, options?: ErrorOptions) {
    super(code, options);
    this.name = 'AppError';
    this.code = code;
    this.params = params;
  }

  /** The HTTP status of the code. */
  get status() {
    return ERROR_STATUS[this.code];
  }
}
