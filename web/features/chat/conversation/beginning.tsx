import { Link } from 'react-router';
import { useOffline } from '#web/features/offline/network-state.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { LoadMore } from '#web/ui/load-more.tsx';
import type { Draft } from '../composer/draft.ts';
import { useAttachmentsSummary } from '../files/use-attachments.ts';
import { ChatState, EmptyConversation } from './chat-state.tsx';
import type { ConversationState } from './use-conversation.ts';

interface BeginningProps {
  conversation: ConversationState;
  cost: number | null;
  temporary: boolean;
  draft: Draft;
}

/** What stands above the first message on screen: older ones, or why there are none. */
export function Beginning({ conversation, cost, temporary, draft }: BeginningProps) {
  const { t } = useTranslation('common');
  const isOffline = useOffline();
  const files = useAttachmentsSummary(draft.attachments);
  const { loaded, branch } = conversation;
  if (loaded.state === 'loading') return null;
  if (loaded.state === 'missing')
    return (
      <ChatState
        title={t('chat.missingTitle')}
        text={t('chat.missingText')}
        action={<NewConversationLink />}
      />
    );
  if (loaded.state === 'failed') {
    if (isOffline) return <ChatState title={t('offline.notKept')} text={t('offline.notKeptText')} />;
    const retry = <Button onClick={loaded.retry}>{t('chat.reload')}</Button>;
    return <ChatState title={t('chat.loadFailedTitle')} text={t('chat.loadFailedText')} action={retry} />;
  }
  if (branch.turns.length === 0) {
    return <EmptyConversation cost={cost} hasFiles={files.state !== 'none'} temporary={temporary} />;
  }
  const { loadOlder } = branch;
  return loadOlder ? (
    <LoadMore label={t('chat.older')} failedText={t('chat.olderFailed')} load={loadOlder} />
  ) : null;
}

function NewConversationLink() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <Link to={pathTo('chat')} className={buttonStyle()}>
      {t('chat.newConversation')}
    </Link>
  );
}
