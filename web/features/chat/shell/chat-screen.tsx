import { type ReactNode, useCallback } from 'react';
import { useNavigate } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { useModule } from '#web/lib/use-module.ts';
import { Conversation } from '../conversation/conversation.tsx';
import { useSwipe } from '../list/use-swipe.ts';
import { useHasOverlay } from '../overlay/use-overlay.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { ChatBar } from './chat-bar.tsx';
import { ChatHead } from './chat-head.tsx';
import { loadSide } from './load-side.ts';
import { useChatDialogs } from './use-chat-dialogs.tsx';
import { useKeyboardInset } from './use-keyboard-inset.ts';
import { useScreen } from './use-screen.ts';

export interface ChatScreenProps {
  user: UserRecord;
  /** What other features give to the frame: a line under the bar, the balance, and the menu of the account. */
  notice: ReactNode;
  balance: ReactNode;
  account: ReactNode;
}

/** The chat of a signed-in reader: conversations at the side, one bar, and one conversation beneath it. */
export function ChatScreen({ user, notice, balance, account }: ChatScreenProps) {
  const pathTo = useLocalPath();
  const navigate = useNavigate();
  const screen = useScreen();
  const { id, isNew, conversation, panel, choice, temporary } = screen;
  const { open, dialogs } = useChatDialogs(screen);
  const newChat = pathTo('chat');
  const address = `${newChat}/${id}`;
  const isCovered = useHasOverlay();
  const onBegun = useCallback(() => {
    if (!isCovered) void navigate(address, { replace: true });
  }, [isCovered, navigate, address]);
  const side = useModule(panel.wide || panel.open, loadSide);
  useSwipe(panel);
  useKeyboardInset();
  useShortcuts({
    search: () => open('palette'),
    help: () => open('help'),
    new: () => void navigate(newChat),
    list: panel.toggle,
  });

  return (
    <div className="flex min-h-0 flex-1">
      <ChatHead id={id} conversation={conversation} />
      {dialogs}
      {side ? (
        <side.ConversationPanel
          panel={panel}
          conversations={screen.list}
          currentId={id}
          siteMenu={<side.SiteMenu named />}
          balance={balance}
          onSearch={() => open('palette')}
          onHelp={() => open('help')}
        />
      ) : null}
      <div className="flex min-w-0 flex-1 flex-col pb-(--keyboard-inset)">
        <ChatBar
          conversation={conversation}
          panel={panel}
          choice={choice}
          actions={screen.actions}
          temporary={temporary}
          siteMenu={side ? <side.SiteMenu /> : null}
          balance={balance}
          account={account}
          renaming={screen.renaming}
          onRename={screen.rename}
          onFiles={() => open('files')}
        />
        {notice}
        <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
          <p aria-hidden className="hidden font-medium print:block">
            {conversation?.title}
          </p>
          <Conversation
            key={id}
            id={id}
            isNew={isNew}
            temporary={temporary.on}
            userId={user.uid}
            credits={user.credits}
            model={choice.model}
            models={choice.models}
            onChooseModel={choice.choose}
            onBegun={onBegun}
          />
        </main>
      </div>
    </div>
  );
}
