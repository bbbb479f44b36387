import { useQueryClient } from '@tanstack/react-query';
import {
  isSessionExpected,
  type Session,
  sessionQuery,
  useSession,
} from '#web/features/accounts/session/use-session.ts';
import { ChatState } from '#web/features/chat/conversation/chat-state.tsx';
import { loadChatScreen } from '#web/features/chat/shell/load-chat-screen.ts';
import { SignedOutChat } from '#web/features/chat/shell/signed-out-chat.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { Button } from '#web/ui/button.tsx';
import { Mark } from '#web/ui/mark.tsx';

import { AccountMenu, BalanceLink } from './layout/header-account.tsx';
import { NeedsScript } from './layout/needs-script.tsx';
import { OfflineNotice } from './layout/offline-notice.tsx';
import { SiteHeader } from './layout/site-header.tsx';
import { SkipLink } from './layout/skip-link.tsx';

/** The chat of a signed-in reader brings its own bar; everyone else has the header of every page above it. */
export default function ChatPage() {
  const session = useSession();
  const isExpected = session.state === 'loading' && isSessionExpected();
  const screen = useModule(isExpected || session.state === 'signed-in', loadChatScreen);
  if (session.state === 'signed-in') {
    return (
      <>
        <SkipLink />
        {screen ? (
          <screen.ChatScreen
            key={session.user.uid}
            user={session.user}
            notice={<OfflineNotice />}
            balance={<BalanceLink credits={session.user.credits} />}
            account={<AccountMenu user={session.user} />}
          />
        ) : (
          <EmptyBar className="flex" />
        )}
      </>
    );
  }
  return (
    <>
      <PageHead page="chat" />
      {session.state === 'loading' ? <EmptyBar className="if-session-expected" /> : null}
      <div className={session.state === 'loading' ? 'unless-session-expected' : 'contents'}>
        <SiteHeader />
      </div>
      <OfflineNotice />
      <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-y-auto outline-none">
        <NoChat session={session} />
      </main>
    </>
  );
}

/** Keeps the place of the bar until the chat is here. */
function EmptyBar({ className }: { className: string }) {
  return (
    <div className={`${className} h-14 shrink-0 items-center border-line border-b px-5`}>
      <Mark size={20} />
    </div>
  );
}

/** What stands in the place of the chat for a visitor, and until it is known who reads. */
function NoChat({ session }: { session: Session }) {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  if (session.state === 'signed-out') return <SignedOutChat />;
  if (session.state === 'loading') {
    return (
      <div className="page py-6">
        <h1 className="sr-only">{t('chat.title')}</h1>
        <NeedsScript />
      </div>
    );
  }
  return (
    <ChatState
      title={t('chat.loadFailedTitle')}
      text={t('chat.loadFailedText')}
      action={
        <Button onClick={() => client.invalidateQueries({ queryKey: sessionQuery.queryKey })}>
          {t('chat.reload')}
        </Button>
      }
    />
  );
}
