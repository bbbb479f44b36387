import { Archive, ArrowLeft, Keyboard, Search, SquarePen, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Modal } from '../overlay/modal.tsx';
import { keysOf, type Shortcut } from '../shortcuts/shortcuts.ts';
import { ConversationList } from './conversation-list.tsx';
import { type ConversationActions, useConversationActions } from './use-conversation-actions.ts';
import { type Conversations, useConversations } from './use-conversations.ts';
import type { Panel } from './use-panel.ts';

const ICON = { 'aria-hidden': true, size: 18, strokeWidth: 1.5 } as const;

interface ConversationPanelProps {
  panel: Panel;
  conversations: Conversations;
  currentId: string;
  /** The mark with the links of the site. */
  siteMenu: ReactNode;
  /** It stands here where the bar has no room for it. */
  balance: ReactNode;
  onSearch: () => void;
  onHelp: () => void;
}

/** The side of the chat, as high as the window: beside the conversation where there is room, else a drawer over it. */
export function ConversationPanel(props: ConversationPanelProps) {
  const { t } = useTranslation('common');
  const { panel } = props;
  if (!panel.wide) {
    return (
      <Modal
        open={panel.open}
        onClose={panel.close}
        label={t('chat.conversations')}
        className={classNames(
          'm-0 h-dvh max-h-none w-80 max-w-[86vw] border-line border-r bg-paper p-0 text-ink shadow-float',
          '-translate-x-full transition-[translate,display,overlay] transition-discrete open:translate-x-0 starting:open:-translate-x-full',
          'backdrop:bg-backdrop motion-reduce:transition-none',
        )}
      >
        <div className="flex h-full flex-col">
          <PanelContent {...props} />
        </div>
      </Modal>
    );
  }
  if (!panel.open) return null;
  return (
    <aside
      aria-label={t('chat.panel')}
      className="flex w-68 shrink-0 flex-col border-line border-r transition-[translate,opacity] starting:-translate-x-4 starting:opacity-0 motion-reduce:transition-none print:hidden"
    >
      <PanelContent {...props} />
    </aside>
  );
}

function PanelContent({ panel, siteMenu, balance, onSearch, onHelp, ...list }: ConversationPanelProps) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <>
      <div className="flex h-14 shrink-0 items-center justify-between gap-2 px-3">
        {siteMenu}
        {panel.wide ? null : (
          <IconButton label={t('dialog.close')} onClick={panel.close}>
            <X {...ICON} size={20} />
          </IconButton>
        )}
      </div>
      <div className="flex shrink-0 flex-col gap-1 border-line border-b px-3 pb-3">
        <Link
          to={pathTo('chat')}
          replace={!panel.wide}
          className={classNames(buttonStyle('secondary', 'small'), 'justify-start pointer-coarse:min-h-11')}
        >
          <SquarePen {...ICON} />
          {t('chat.newConversation')}
        </Link>
        <PanelButton icon={<Search {...ICON} />} onClick={onSearch} shortcut="search">
          {t('chat.search')}
        </PanelButton>
      </div>
      <nav aria-label={t('chat.conversations')} className="flex min-h-0 flex-1 flex-col">
        <div data-scroller className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain px-3 py-2">
          <PanelList panel={panel} {...list} />
        </div>
        <div className="flex shrink-0 items-center gap-1 border-line border-t px-3 py-2">
          {panel.archived ? null : (
            <PanelButton icon={<Archive {...ICON} />} onClick={() => panel.showArchive(true)}>
              {t('chat.archiveShow')}
            </PanelButton>
          )}
          <IconButton label={t('chat.keys')} onClick={onHelp} className="ml-auto pointer-coarse:hidden">
            <Keyboard {...ICON} />
          </IconButton>
          <div className="ml-auto sm:hidden">{balance}</div>
        </div>
      </nav>
    </>
  );
}

type PanelListProps = Pick<ConversationPanelProps, 'panel' | 'conversations' | 'currentId'>;

function PanelList({ panel, conversations, currentId }: PanelListProps) {
  const { t } = useTranslation('common');
  const actions = useConversationActions(currentId);
  const shared = { currentId, actions, replaces: !panel.wide };
  if (!panel.archived) {
    return <ConversationList list={conversations} emptyText={t('chat.conversationsEmpty')} {...shared} />;
  }
  return (
    <>
      <PanelButton icon={<ArrowLeft {...ICON} />} onClick={() => panel.showArchive(false)}>
        {t('chat.archiveLeave')}
      </PanelButton>
      <ArchivedList {...shared} />
    </>
  );
}

interface ArchivedListProps {
  currentId: string;
  actions: ConversationActions;
  replaces: boolean;
}

function ArchivedList(shared: ArchivedListProps) {
  const { t } = useTranslation('common');
  return <ConversationList list={useConversations(true)} emptyText={t('chat.archiveEmpty')} {...shared} />;
}

interface PanelButtonProps {
  icon: ReactNode;
  onClick: () => void;
  shortcut?: Shortcut;
  children: ReactNode;
}

function PanelButton({ icon, onClick, shortcut, children }: PanelButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={classNames(
        buttonStyle('quiet', 'small'),
        'shrink-0 justify-start font-normal pointer-coarse:min-h-11',
      )}
    >
      <span className="text-soft">{icon}</span>
      {children}
      {shortcut ? (
        <kbd aria-hidden className="ml-auto font-sans text-soft text-xs pointer-coarse:hidden">
          {keysOf(shortcut).join(' ')}
        </kbd>
      ) : null}
    </button>
  );
}
