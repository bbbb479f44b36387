import { MAX_PASSWORD, MIN_PASSWORD } from '#contract/limits.ts';
import { AppError } from '#server/errors.ts';

/** Throws `password_too_short` or `password_too_long` for what may not become a password. */
export function requireNewPassword(password: string): void {
  if (password.length < MIN_PASSWORD) throw new AppError('password_too_short', { limit: MIN_PASSWORD });
  if (password.length > MAX_PASSWORD) throw new AppError('password_too_long', { limit: MAX_PASSWORD });
}
