import { ERROR_STATUS, type ErrorCode, type ErrorParams } from '#contract/errors.ts';
import type { Quote } from '#contract/message/quotes.ts';

/** A fault that the caller receives: a stable code, and the values its text names. Anything else thrown is a bug (500). */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly params: ErrorParams;
  readonly quote: Quote | undefined;

  constructor(code: ErrorCode, params: ErrorParams = {}, options?: ErrorOptions & { quote?: Quote }) {
    super(code, options);
    this.name = 'AppError';
    this.code = code;
    this.params = params;
    this.quote = options?.quote;
  }

  /** The HTTP status of the code. */
  get status() {
    return ERROR_STATUS[this.code];
  }
}
