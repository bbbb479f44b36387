import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/limits.ts';
import { AppError } from '#server/errors.ts';

/** Throws `password_too_short` or `password_too_long` for what may not become a password. */
export function requireNewPassword(password: string): void {
  if (password.length < PASSWORD_MIN) throw new AppError('password_too_short', { limit: PASSWORD_MIN });
  if (password.length > PASSWORD_MAX) throw new AppError('password_too_long', { limit: PASSWORD_MAX });
}
