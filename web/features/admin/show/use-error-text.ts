import { errorKey } from '#i18n/error-key.ts';
import { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';

/** Says in words why a call failed. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation('admin');
  return (error) => {
    if (!(error instanceof ApiError)) return t('errors.internal');
    if (error.code === 'network') return t('account.unreachable');
    if (error.code === 'not_found') return t('admin.notFound');
    // What a user reads of it is how to buy more.
    if (error.code === 'insufficient_credits') return t('admin.acts.tooMany', error.params);
    return t(errorKey(error.code, error.params), error.params);
  };
}
