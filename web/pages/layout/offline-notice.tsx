import { useTranslation } from '#web/lib/i18n.tsx';
import { useOffline } from '#web/lib/use-offline.ts';

/** A line under the header while there is no network: what that means, and that nothing is lost. */
export function OfflineNotice() {
  const { t } = useTranslation('common');
  const offline = useOffline();
  return (
    <div role="status" className="sticky top-16 z-20 bg-sunken print:hidden">
      {offline ? <p className="page border-line border-b py-2 text-sm">{t('offline.text')}</p> : null}
    </div>
  );
}
