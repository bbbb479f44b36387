import {
  Archive,
  ArchiveRestore,
  Ellipsis,
  FileDown,
  Paperclip,
  Pencil,
  Pin,
  PinOff,
  Trash2,
} from 'lucide-react';
import type { ButtonHTMLAttributes, ComponentProps } from 'react';
import type { Conversation } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx';
import type { ConversationActions } from './use-conversation-actions.ts';

const ICON = { 'aria-hidden': true, size: 18, strokeWidth: 1.5, className: 'text-soft' } as const;

interface ConversationMenuProps {
  conversation: Conversation;
  actions: ConversationActions;
  onRename: () => void;
  /** Shows its files, where that can be done. */
  onFiles?: () => void;
  /** The button that opens it, where that is not the one of a row of the list. */
  trigger?: ComponentProps<typeof Menu>['trigger'];
  /** That button was pressed before the menu was here. */
  openAtOnce?: boolean;
}

/** What can be done with one conversation; one that goes by itself has no name to keep, and no place in the list. */
export function ConversationMenu({
  conversation,
  actions,
  onRename,
  onFiles,
  trigger = <RowTrigger title={conversation.title} />,
  openAtOnce = false,
}: ConversationMenuProps) {
  const { t } = useTranslation('common');
  const isPinned = conversation.pinnedAt !== null;
  const isArchived = conversation.archivedAt !== null;
  return (
    <Menu trigger={trigger} align="start" openAtOnce={openAtOnce}>
      {conversation.temporary ? null : (
        <>
          <MenuItem icon={<Pencil {...ICON} />} onSelect={onRename}>
            {t('chat.rename')}
          </MenuItem>
          <MenuItem
            icon={isPinned ? <PinOff {...ICON} /> : <Pin {...ICON} />}
            onSelect={() => void actions.pin(conversation, !isPinned)}
          >
            {isPinned ? t('chat.unpin') : t('chat.pin')}
          </MenuItem>
          <MenuItem
            icon={isArchived ? <ArchiveRestore {...ICON} /> : <Archive {...ICON} />}
            onSelect={() => void actions.archive(conversation, !isArchived)}
          >
            {isArchived ? t('chat.unarchive') : t('chat.archive')}
          </MenuItem>
        </>
      )}
      {onFiles ? (
        <MenuItem icon={<Paperclip {...ICON} />} onSelect={onFiles}>
          {t('files.ofConversation')}
        </MenuItem>
      ) : null}
      <MenuItem icon={<FileDown {...ICON} />} onSelect={() => actions.download(conversation, 'md')}>
        {t('chat.exportMarkdown')}
      </MenuItem>
      <MenuItem icon={<FileDown {...ICON} />} onSelect={() => actions.download(conversation, 'json')}>
        {t('chat.exportJson')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Trash2 {...ICON} className="text-danger" />}
        onSelect={() => void actions.remove(conversation)}
      >
        <span className="text-danger">{t('chat.delete')}</span>
      </MenuItem>
    </Menu>
  );
}

interface RowTriggerProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  title: string;
}

function RowTrigger({ title, ...button }: RowTriggerProps) {
  const { t } = useTranslation('common');
  return (
    <button
      type="button"
      aria-label={t('chat.conversationMenu', { title })}
      {...button}
      className={classNames(
        'absolute inset-y-0 right-0 inline-flex w-9 items-center justify-center rounded-control text-soft outline-offset-[-2px]',
        'hover:text-ink aria-expanded:opacity-100 pointer-coarse:w-11',
        'pointer-fine:opacity-0 focus-visible:opacity-100 group-focus-within/row:opacity-100 group-hover/row:opacity-100',
      )}
    >
      <Ellipsis aria-hidden size={18} strokeWidth={1.5} />
    </button>
  );
}
