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
import { NeedsScript } from './layout/needs-script.tsx';

export default function ChatPage() {
  const session = useSession();
  const isExpected = session.state === 'loading' && isSessionExpected();
  const screen = useModule(isExpected || session.state === 'signed-in', loadChatScreen);
  if (session.state === 'signed-in' && screen)
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
  if (session.state === 'signed-in') return null;
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
