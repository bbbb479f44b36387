import type { Conversation } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useMarks } from '../list/conversation-marks.ts';

interface ChatHeadProps {
  /** Of the conversation on screen. */
  id: string;
  /** Undefined while it is new or not known. */
  conversation: Conversation | undefined;
}

/** The browser tab names the conversation on screen, and says while it is being answered. */
export function ChatHead({ id, conversation }: ChatHeadProps) {
  const { t } = useTranslation('common');
  const isRunning = useMarks(id) === 'running';
  const title = conversation?.title ?? t('chat.title');
  return (
    <PageHead
      page="chat"
      title={isRunning ? t('page.conversation.running', { title }) : t('page.conversation.title', { title })}
    />
  );
}
