import { isSessionExpected, useSession } from '#web/features/accounts/session/use-session.ts';
import { loadChatScreen } from '#web/features/chat/shell/load-chat-screen.ts';
import { useOfflineReading } from '#web/features/offline/use-offline-reading.ts';
import { PageHead } from '#web/lib/page-head.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { classNames } from '#web/ui/class-names.ts';
import { ChatOutline } from './chat/chat-outline.tsx';
import { NoChat } from './chat/no-chat.tsx';
import { useChatPlace } from './chat/use-chat-place.ts';
import { useDrawable } from './chat/use-drawable.ts';
import { OfflineNotice } from './layout/offline-notice.tsx';
import { AccountMenu, BalanceLink } from './layout/signed-in-account.tsx';
import { SiteHeader } from './layout/site-header.tsx';
import { SkipLink } from './layout/skip-link.tsx';

if (globalThis.window && isSessionExpected()) void loadChatScreen();

/** The outline stays the same element when it becomes known who reads. */
const OUTLINE = 'outline';

/** The chat, as high as the window. */
export default function ChatPage() {
  useChatPlace();
  return (
    <div className="flex h-dvh flex-col">
      <Chat />
    </div>
  );
}

/** The chat of a signed-in reader brings its own bar; everyone else has the header of every page above it. */
function Chat() {
  const session = useSession();
  const isExpected = session.state === 'loading' && isSessionExpected();
  const screen = useModule(isExpected || session.state === 'signed-in', loadChatScreen);
  const isDrawable = useDrawable(screen !== null) && screen !== null;
  useOfflineReading(isDrawable && session.state === 'signed-in' ? session.user.uid : null);
  if (session.state === 'signed-in') {
    return (
      <>
        <SkipLink />
        {isDrawable ? (
          <screen.ChatScreen
            key={session.user.uid}
            user={session.user}
            notice={<OfflineNotice />}
            balance={<BalanceLink credits={session.user.credits} />}
            account={<AccountMenu user={session.user} />}
          />
        ) : (
          <ChatOutline key={OUTLINE} />
        )}
      </>
    );
  }
  return (
    <>
      <PageHead page="chat" />
      {session.state === 'loading' ? <ChatOutline key={OUTLINE} className="for-readers" /> : null}
      <div className={session.state === 'loading' ? 'for-visitors contents' : 'contents'}>
        <SiteHeader />
      </div>
      <OfflineNotice />
      <main
        id="main"
        tabIndex={-1}
        className={classNames(
          'flex min-h-0 flex-1 flex-col overflow-y-auto outline-none',
          session.state === 'loading' && 'for-visitors',
        )}
      >
        <NoChat session={session} />
      </main>
    </>
  );
}
