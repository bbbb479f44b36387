import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { ChatBar } from './chat-bar.tsx';
import { Conversation } from './conversation.tsx';
import { ConversationPanel } from './conversation-panel.tsx';
import { useConversationId } from './use-conversation-id.ts';
import { useConversations } from './use-conversations.ts';
import { useModels } from './use-models.ts';
import { usePanel } from './use-panel.ts';

/** The chat of a signed-in reader: conversations at the side, one conversation with its model in the middle. */
export function ChatScreen({ user }: { user: UserRecord }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const navigate = useNavigate();
  const { id, isNew } = useConversationId();
  const panel = usePanel();
  const conversations = useConversations();
  const { model, models, choose } = useModels();
  const address = `${pathTo('chat')}/${id}`;
  const onBegun = useCallback(() => void navigate(address, { replace: true }), [navigate, address]);
  const title = conversations.conversations?.find((one) => one.id === id)?.title;

  return (
    <div className="flex min-h-0 flex-1">
      <ConversationPanel panel={panel} conversations={conversations} currentId={id} />
      <div className="flex min-w-0 flex-1 flex-col">
        <ChatBar
          title={title ?? t('chat.title')}
          panel={panel}
          models={models}
          model={model}
          onChoose={choose}
        />
        <Conversation
          key={id}
          id={id}
          isNew={isNew}
          userId={user.uid}
          credits={user.credits}
          model={model}
          models={models}
          onBegun={onBegun}
        />
      </div>
    </div>
  );
}
