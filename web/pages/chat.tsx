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
import { NeedsScript } from './layout/needs-script.tsx';

/** How long the chat waits for the models once its code is here. */
const LATE_MS = 400;

if (globalThis.window && isSessionExpected()) void loadChatScreen();

export default function ChatPage() {
  const session = useSession();
  const isExpected = session.state === 'loading' && isSessionExpected();
  useOfflineReading(session.state === 'signed-in' ? session.user.uid : null);
  const screen = useModule(isExpected || session.state === 'signed-in', loadChatScreen);
  const isDrawable = useDrawable(screen !== null);
  if (session.state === 'signed-in' && screen && isDrawable)
    return <screen.ChatScreen key={session.user.uid} user={session.user} />;
  return (
    <>
      <PageHead page="chat" />
      <NoChat session={session} />
    </>
  );
}

/** What stands in the place of the chat for a visitor, and until it is known who reads. */
function NoChat({ session }: { session: Session }) {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  if (session.state === 'signed-out') return <SignedOutChat />;
  if (session.state === 'signed-in' || session.state === 'loading') {
    return (
      <>
        <h1 className="sr-only">{t('chat.title')}</h1>
        <div className="page py-6 for-visitors">
          <NeedsScript />
        </div>
        <ChatOutline />
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
function ChatOutline() {
  const { t } = useTranslation('common');
  return (
    <div aria-hidden className="for-readers flex min-h-0 flex-1 flex-col">
      <div className="min-h-14 border-line border-b" />
      <div className="for-new-chats mx-auto flex min-h-0 w-full max-w-prose flex-1 flex-col px-4 py-8 sm:px-0">
        <EmptyConversation cost={facts.defaultCost} temporary={false} />
      </div>
      <div className="mx-auto mt-auto w-full max-w-[42rem] px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        <div className="h-28 rounded-card border border-edge bg-raised px-4 pt-3 text-soft">
          {t('chat.placeholder')}
        </div>
      </div>
    </div>
  );
}
