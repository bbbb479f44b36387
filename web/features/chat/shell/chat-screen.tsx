import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Conversation } from '../conversation/conversation.tsx';
import { ConversationPanel } from '../list/conversation-panel.tsx';
import { useConversationActions } from '../list/use-conversation-actions.ts';
import { usePanel } from '../list/use-panel.ts';
import { ChatBar } from './chat-bar.tsx';
import { ChatHead } from './chat-head.tsx';
import { useChatDialogs } from './use-chat-dialogs.tsx';
import { useConversationOnScreen, useTemporary } from './use-conversation-on-screen.ts';
import { useKeyboardInset } from './use-keyboard-inset.ts';
import { useModels } from './use-models.ts';
import { useShortcuts } from './use-shortcuts.ts';

/** The chat of a signed-in reader: conversations at the side, one conversation with its model in the middle. */
export function ChatScreen({ user }: { user: UserRecord }) {
  const pathTo = useLocalPath();
  const navigate = useNavigate();
  const { id, isNew, conversations, conversation } = useConversationOnScreen();
  const panel = usePanel();
  const actions = useConversationActions(id);
  const { model, models, choose } = useModels();
  const temporary = useTemporary(id, isNew);
  const { open, dialogs } = useChatDialogs();
  const newChat = pathTo('chat');
  const address = `${newChat}/${id}`;
  const onBegun = useCallback(() => void navigate(address, { replace: true }), [navigate, address]);
  useKeyboardInset();
  useShortcuts({
    search: () => open('search'),
    help: () => open('help'),
    new: () => void navigate(newChat),
    list: panel.toggle,
  });

  return (
    <div className="flex min-h-0 flex-1">
      <ChatHead id={id} conversation={conversation} />
      <ConversationPanel
        panel={panel}
        conversations={conversations}
        currentId={id}
        onSearch={() => open('search')}
        onHelp={() => open('help')}
      />
      <div className="flex min-w-0 flex-1 flex-col pb-(--keyboard-inset)">
        <ChatBar
          conversation={conversation}
          panel={panel}
          models={models}
          model={model}
          onChoose={choose}
          actions={actions}
          temporary={temporary}
        />
        <Conversation
          key={id}
          id={id}
          isNew={isNew}
          temporary={temporary.on}
          userId={user.uid}
          credits={user.credits}
          model={model}
          models={models}
          onChooseModel={choose}
          onBegun={onBegun}
        />
      </div>
      {dialogs}
    </div>
  );
}
