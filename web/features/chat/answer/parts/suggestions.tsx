import { useLayoutEffect, useRef } from 'react';
import { useOffline } from '#web/features/offline/network-state.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useDark } from '#web/lib/theme.ts';
import { orderFrame } from '../picture/sandbox-frame.ts';

/**
 * The search provider's suggestions as it wrote them, which its terms ask for wherever a searched answer is shown: in a document
 * without an origin whose inner frame runs no script, so that nothing but a click on a link leaves the page. Their height is known.
 */
export function Suggestions({ html }: { html: string }) {
  const { t } = useTranslation('common');
  const frame = useRef<HTMLIFrameElement>(null);
  const isDark = useDark();
  const isOffline = useOffline();
  const title = t('sources.suggestions');
  useLayoutEffect(() => {
    if (!frame.current || isOffline) return;
    return orderFrame(frame.current, { html, title }, () => {});
  }, [html, title, isOffline]);
  return (
    <div className="mt-4 h-[50px] print:hidden">
      {isOffline ? null : (
        <iframe
          ref={frame}
          title={title}
          src="/sandbox/suggestions"
          sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          style={{ colorScheme: isDark ? 'dark' : 'light' }}
          className="block size-full border-0"
        />
      )}
    </div>
  );
}
