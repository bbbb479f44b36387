import { useEffect } from 'react';
import { Outlet, useMatch } from 'react-router';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { useLive } from '#web/features/live/use-live.ts';
import { keepChatPlace } from '#web/lib/chat-place.ts';
import { OfflineNotice } from './offline-notice.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';

/** Header, page and footer. The chat has a frame of its own, as high as the window. */
export function SiteFrame() {
  const session = useSession();
  useLive(session.state === 'signed-in' ? session.user.uid : null);
  const chatPath = useMatch('/:lang/chat/:conversationId?')?.pathname;
  useEffect(() => {
    if (chatPath) keepChatPlace(chatPath);
  }, [chatPath]);
  if (chatPath) {
    return (
      <div className="flex h-dvh flex-col">
        <Outlet />
      </div>
    );
  }
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <OfflineNotice />
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        <Outlet />
      </main>
      <SiteFooter />
    </div>
  );
}
