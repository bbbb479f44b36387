import { PROVIDERS } from '#contract/choices.ts';
import type { ErrorCode, ErrorParams } from '#contract/errors.ts';

/** What is missing without a setting, in words of a user. Any other key is that of a model provider. */
const WITHOUT = {
  SMTP_URL: 'notConfigured.mail',
  PUBLIC_URL: 'notConfigured.passkeys',
} as const;

type WithoutKey =
  | (typeof WITHOUT)[keyof typeof WITHOUT]
  | 'notConfigured.payment'
  | 'notConfigured.model'
  | 'errors.not_configured';

/**
 * The key of the text of an error. What an operator left out (`params.setting`) is said as what cannot be done without it, and then
 * by its name.
 */
export function errorKey(code: ErrorCode, params: ErrorParams): `errors.${ErrorCode}` | WithoutKey {
  return code === 'not_configured' ? keyWithout(String(params.setting ?? '')) : `errors.${code}`;
}

function keyWithout(setting: string): WithoutKey {
  if (setting in WITHOUT) return WITHOUT[setting as keyof typeof WITHOUT];
  if (PROVIDERS.some((name) => setting.startsWith(`${name.toUpperCase()}_`))) return 'notConfigured.payment';
  return /^(MODELS_FILE|[A-Z0-9_]+_KEY)$/.test(setting) ? 'notConfigured.model' : 'errors.not_configured';
}
