import { Archive, ArrowLeft, Keyboard, Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { ConversationList } from './conversation-list.tsx';
import { useConversationActions } from './use-conversation-actions.ts';
import { type Conversations, useConversations } from './use-conversations.ts';
import type { Panel } from './use-panel.ts';

interface ConversationPanelProps {
  panel: Panel;
  conversations: Conversations;
  currentId: string;
  onSearch: () => void;
  onHelp: () => void;
}

/** The list of conversations, beside the one on screen or over it. */
export function ConversationPanel({ panel, ...list }: ConversationPanelProps) {
  const { t } = useTranslation('common');
  const label = t('chat.conversations');
  if (!panel.wide) {
    return (
      <Dialog open={panel.open} onClose={panel.close} title={label} sheet="left">
        <nav aria-label={label} className="-mx-3 flex flex-1 flex-col">
          <PanelContent {...list} onFollow={panel.close} />
        </nav>
      </Dialog>
    );
  }
  if (!panel.open) return null;
  return (
    <nav
      aria-label={label}
      data-scroller
      className="relative flex w-68 shrink-0 flex-col overflow-y-auto overscroll-contain border-line border-r p-3 print:hidden"
    >
      <PanelContent {...list} onFollow={undefined} />
    </nav>
  );
}

interface PanelContentProps extends Omit<ConversationPanelProps, 'panel'> {
  onFollow: (() => void) | undefined;
}

function PanelContent({ conversations, currentId, onSearch, onHelp, onFollow }: PanelContentProps) {
  const { t } = useTranslation('common');
  const [archived, setArchived] = useState(false);
  const actions = useConversationActions(currentId);
  const search = () => {
    onFollow?.();
    onSearch();
  };
  if (archived) {
    return (
      <>
        <PanelButton
          icon={<ArrowLeft aria-hidden size={18} strokeWidth={1.5} />}
          onClick={() => setArchived(false)}
        >
          {t('chat.archiveLeave')}
        </PanelButton>
        <ArchivedList currentId={currentId} actions={actions} onFollow={onFollow} />
      </>
    );
  }
  return (
    <>
      <PanelButton icon={<Search aria-hidden size={18} strokeWidth={1.5} />} onClick={search}>
        {t('chat.search')}
      </PanelButton>
      <div className="flex-1">
        <ConversationList
          list={conversations}
          currentId={currentId}
          actions={actions}
          emptyText={t('chat.conversationsEmpty')}
          onFollow={onFollow}
        />
      </div>
      <PanelButton
        icon={<Archive aria-hidden size={18} strokeWidth={1.5} />}
        onClick={() => setArchived(true)}
      >
        {t('chat.archiveShow')}
      </PanelButton>
      {onFollow ? null : (
        <PanelButton icon={<Keyboard aria-hidden size={18} strokeWidth={1.5} />} onClick={onHelp}>
          {t('chat.keys')}
        </PanelButton>
      )}
    </>
  );
}

type ArchivedListProps = Pick<PanelContentProps, 'currentId' | 'onFollow'> & {
  actions: ReturnType<typeof useConversationActions>;
};

function ArchivedList(shared: ArchivedListProps) {
  const { t } = useTranslation('common');
  return <ConversationList list={useConversations(true)} emptyText={t('chat.archiveEmpty')} {...shared} />;
}

interface PanelButtonProps {
  icon: ReactNode;
  onClick: () => void;
  children: ReactNode;
}

function PanelButton({ icon, onClick, children }: PanelButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={classNames(buttonStyle('quiet', 'small'), 'mb-1 shrink-0 justify-start font-normal')}
    >
      <span className="text-soft">{icon}</span>
      {children}
    </button>
  );
}
