import { errorKey } from '#i18n/error-key.ts';
import { ApiError } from '#web/lib/api.ts';
import type { Translate } from '#web/lib/translate.ts';

/** What went wrong, in words. */
export function faultText(t: Translate, error: unknown): string {
  if (!(error instanceof ApiError) || error.code === 'network') return t('api.networkFailed');
  return t(errorKey(error.code, error.params), error.params);
}
