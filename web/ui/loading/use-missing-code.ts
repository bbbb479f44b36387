import { useTranslation } from '#web/lib/i18n.tsx';
import { showNotice } from '../toast-store.ts';

/** Gives what says that code did not come, and offers to reload the page, which has a newer version's code. */
export function useMissingCode(): () => void {
  const { t } = useTranslation('common');
  return () =>
    showNotice(t('account.unreachable'), { label: t('crash.reload'), run: () => window.location.reload() });
}
