import { ConfirmationDismissed } from '#web/features/accounts/confirmation/confirmation-dismissed.ts';
import { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useErrorText } from '../show/use-error-text.ts';

/** Nothing was done, for certain, nor is being done. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof ConfirmationDismissed) return true;
  return isAnswer(error) && (error.status ?? 0) < 500 && error.code !== 'act_under_way';
}

/** The statuses with which whoever asks is turned away, whatever they ask for. */
const TURNED_AWAY: readonly (number | null)[] = [401, 403, 429];

/** Whether the server looked whether an act of this id was done; not where the operator was turned away, or did not confirm it. */
export function wasLookedAt(error: unknown): boolean {
  return isAnswer(error) && !TURNED_AWAY.includes(error.status);
}

/** The server knows what was wrong; otherwise it is not known whether it was done. */
export function isAnswer(error: unknown): error is ApiError {
  const isBroken = !(error instanceof ApiError) || error.code === 'internal' || error.code === 'unavailable';
  return !isBroken && error.status !== null;
}

/** Says why what was sent is not known to be done; null: the operator did not confirm it. */
export function useSendingText(): (error: unknown) => string | null {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  return (error) => {
    if (error instanceof ConfirmationDismissed) return null;
    if (error instanceof ApiError && error.code === 'key_reused') return t('admin.acts.reused');
    return isAnswer(error) ? errorText(error) : t('admin.acts.unsure');
  };
}
