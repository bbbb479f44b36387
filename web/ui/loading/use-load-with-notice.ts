import { useTranslation } from '#web/lib/i18n.tsx';
import { preloadModule } from '#web/lib/use-module.ts';
import { showNotice } from '../toast-store.ts';

/**
 * Gives what loads code at a press, for `useModule` to have it at once. It resolves to false where the code cannot be fetched: a notice
 * says so then, and offers to reload the page, which has a newer version's code.
 */
export function useLoadWithNotice(load: () => Promise<unknown>): () => Promise<boolean> {
  const { t } = useTranslation('common');
  return async () => {
    const isHere = await preloadModule(load);
    if (!isHere)
      showNotice(t('account.unreachable'), {
        label: t('crash.reload'),
        run: () => window.location.reload(),
      });
    return isHere;
  };
}
