import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { type Session, sessionQuery } from '#web/features/accounts/session/use-session.ts';
import { ChatState } from '#web/features/chat/conversation/chat-state.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { NeedsScript } from '../layout/needs-script.tsx';
import { SignInGate } from '../layout/sign-in-gate.tsx';

/** What stands in the place of the chat for a visitor, and until it is known who reads. */
export function NoChat({ session }: { session: Session }) {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const { pathname, search } = useLocation();
  if (session.state === 'signed-out') {
    return (
      <>
        <h1 className="sr-only">{t('chat.title')}</h1>
        <div className="m-auto px-4 py-6">
          <SignInGate text={t('chat.signedOutText')} next={pathname + search} />
        </div>
      </>
    );
  }
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
