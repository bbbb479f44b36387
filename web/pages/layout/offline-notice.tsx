import { useMatch } from 'react-router';
import { useOffline } from '#web/features/offline/network-state.ts';
import { useTranslation } from '#web/lib/i18n.tsx';

/** A line under the header while there is no network: what that means, and that nothing is lost. */
export function OfflineNotice() {
  const { t } = useTranslation('common');
  const isOffline = useOffline();
  const isChat = useMatch('/:lang/chat/:conversationId?') !== null;
  return (
    <div role="status" className="sticky top-16 z-20 bg-sunken print:hidden">
      {isOffline ? (
        <p className="page border-line border-b py-2 text-sm">
          {isChat ? t('offline.chat') : t('offline.text')}
        </p>
      ) : null}
    </div>
  );
}
