import { Outlet } from 'react-router';
import { OfflineNotice } from './offline-notice.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';

/** Header, page and footer: what is around every page but the chat. */
export function SiteFrame() {
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
