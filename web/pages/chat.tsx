import { facts } from 'virtual:site';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  isSessionExpected,
  type Session,
  sessionQuery,
  useSession,
} from '#web/features/accounts/session/use-session.ts';
import { catalogueQuery } from '#web/features/catalogue/catalogue-query.ts';
import { ChatState, EmptyConversation } from '#web/features/chat/conversation/chat-state.tsx';
import { loadChatScreen } from '#web/features/chat/shell/load-chat-screen.ts';
import { SignedOutChat } from '#web/features/chat/shell/signed-out-chat.tsx';
import { useOfflineReading } from '#web/features/offline/use-offline-reading.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Mark } from '#web/ui/mark.tsx';
import { AccountMenu, BalanceLink } from './layout/header-account.tsx';
import { NeedsScript } from './layout/needs-script.tsx';
import { OfflineNotice } from './layout/offline-notice.tsx';
import { SiteHeader } from './layout/site-header.tsx';
import { SkipLink } from './layout/skip-link.tsx';

/** How long the chat waits for the models once its code is here. */
const LATE_MS = 400;

if (globalThis.window && isSessionExpected()) void loadChatScreen();

/** The chat of a signed-in reader brings its own bar; everyone else has the header of every page above it. */
export default function ChatPage() {
  const session = useSession();
  const isExpected = session.state === 'loading' && isSessionExpected();
  useOfflineReading(session.state === 'signed-in' ? session.user.uid : null);
  const screen = useModule(isExpected || session.state === 'signed-in', loadChatScreen);
  const isDrawable = useDrawable(screen !== null);
  if (session.state === 'signed-in') {
    return (
      <>
        <SkipLink />
        {screen && isDrawable ? (
          <screen.ChatScreen
            key={session.user.uid}
            user={session.user}
            notice={<OfflineNotice />}
            balance={<BalanceLink credits={session.user.credits} />}
            account={<AccountMenu user={session.user} />}
          />
        ) : (
          <ChatOutline />
        )}
      </>
    );
  }
  return (
    <>
      <PageHead page="chat" />
      {session.state === 'loading' ? <ChatOutline className="for-readers" /> : null}
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

/** What stands in the place of the chat for a visitor, and until it is known who reads. */
function NoChat({ session }: { session: Session }) {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  if (session.state === 'signed-out') return <SignedOutChat />;
  if (session.state === 'loading') {
    return (
      <>
        <h1 className="sr-only">{t('chat.title')}</h1>
        <div className="page py-6">
          <NeedsScript />
        </div>
      </>
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

/** Whether the models are here, which were asked for with the reader, or are late: what is drawn before them moves when they come. */
function useDrawable(isCodeHere: boolean): boolean {
  const { isPending } = useQuery({ ...catalogueQuery, enabled: isCodeHere });
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isCodeHere) return;
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, [isCodeHere]);
  return isLate || !isPending;
}

/** What the built page shows a reader who was signed in: the chat as it begins, until its code and who reads are here. */
function ChatOutline({ className = '' }: { className?: string }) {
  const { t } = useTranslation('common');
  return (
    <div aria-hidden className={classNames('flex min-h-0 flex-1 flex-col', className)}>
      <div className="flex h-14 shrink-0 items-center border-line border-b px-5">
        <Mark size={20} />
      </div>
      <div className="for-new-chats mt-auto">
        <EmptyConversation cost={facts.defaultCost} temporary={false} />
      </div>
      <div className="mx-auto w-full max-w-[42rem] px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        <div className="h-28 rounded-card border border-edge bg-raised px-4 pt-3 text-soft">
          {t('chat.placeholder')}
        </div>
      </div>
      <div className="for-new-chats mb-auto" />
    </div>
  );
}
