import { useQueryClient } from '@tanstack/react-query';
import { isSessionExpected, sessionQuery, useSession } from '#web/features/accounts/session/use-session.ts';
import { ChatState } from '#web/features/chat/conversation/chat-state.tsx';
import { loadChatScreen } from '#web/features/chat/shell/load-chat-screen.ts';
import { SignedOutChat } from '#web/features/chat/shell/signed-out-chat.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { Button } from '#web/ui/button.tsx';
import { NeedsScript } from './layout/needs-script.tsx';

export default function ChatPage() {
  return (
    <>
      <PageHead page="chat" />
      <Chat />
    </>
  );
}

function Chat() {
  const { t } = useTranslation('common');
  const session = useSession();
  const client = useQueryClient();
  const isExpected = session.state === 'loading' && isSessionExpected();
  const screen = useModule(isExpected || session.state === 'signed-in', loadChatScreen);
  if (session.state === 'signed-out') return <SignedOutChat />;
  if (session.state === 'signed-in')
    return screen && <screen.ChatScreen key={session.user.uid} user={session.user} />;
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
