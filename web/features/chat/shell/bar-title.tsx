import { ChevronDown } from 'lucide-react';
import { type ButtonHTMLAttributes, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { Conversation } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { useMenuModule } from '#web/ui/loading/use-menu-module.ts';
import { loadConversationMenu } from '../list/load-conversation-menu.ts';
import type { ConversationActions } from '../list/use-conversation-actions.ts';

export interface BarTitleProps {
  /** The conversation on screen; undefined while it is new or not known. */
  conversation: Conversation | undefined;
  actions: ConversationActions;
  /** The title is being changed in its place. */
  renaming: boolean;
  onRename: (renaming: boolean) => void;
  /** Shows the files of the conversation. */
  onFiles: () => void;
}

/** The title of the conversation, which opens what can be done with it. */
export function BarTitle(props: BarTitleProps) {
  const { t } = useTranslation('common');
  const { conversation, actions, renaming, onRename } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const parts = useModule(renaming, loadConversationMenu);
  if (!conversation) {
    return (
      <h1 className="min-w-0 flex-1 truncate px-2 font-medium max-sm:pt-1 max-sm:leading-5">
        {t('chat.title')}
      </h1>
    );
  }
  if (renaming && parts) {
    return (
      <div className="min-w-0 flex-1 max-sm:row-span-2">
        <h1 className="sr-only">{conversation.title}</h1>
        <parts.TitleField
          title={conversation.title}
          onDone={(title, byKey) => {
            flushSync(() => onRename(false));
            if (byKey) heading.current?.querySelector('button')?.focus();
            if (title !== null) void actions.rename(conversation, title);
          }}
        />
      </div>
    );
  }
  return (
    <div className="flex min-w-0 flex-1 items-center gap-1">
      <h1 ref={heading} className="flex min-w-0 font-medium">
        <TitleMenu key={conversation.id} {...props} conversation={conversation} />
      </h1>
      {conversation.temporary ? <TemporaryTag onKeep={() => void actions.keep(conversation)} /> : null}
      {conversation.archivedAt === null ? null : <Tag>{t('chat.searchArchived')}</Tag>}
    </div>
  );
}

interface TitleMenuProps extends BarTitleProps {
  conversation: Conversation;
}

/** The title as the button of its menu, which comes with the first press. */
function TitleMenu({ conversation, actions, onRename, onFiles }: TitleMenuProps) {
  const { menu, openAtOnce, button } = useMenuModule(loadConversationMenu);
  const title = (
    <span dir="auto" className="min-w-0 truncate">
      {conversation.title}
    </span>
  );
  if (!menu) return <TitleButton {...button}>{title}</TitleButton>;
  return (
    <menu.ConversationMenu
      conversation={conversation}
      actions={actions}
      openAtOnce={openAtOnce}
      onRename={() => onRename(true)}
      onFiles={onFiles}
      trigger={<TitleButton>{title}</TitleButton>}
    />
  );
}

function TitleButton({ children, ...button }: ButtonHTMLAttributes<HTMLButtonElement>) {
  const { t } = useTranslation('common');
  return (
    <button
      type="button"
      {...button}
      className="flex min-h-11 min-w-0 items-center gap-1.5 rounded-control px-2 hover:bg-sunken aria-expanded:bg-sunken max-sm:min-h-0 max-sm:pt-1 max-sm:leading-5"
    >
      {children}
      <span className="sr-only">{t('chat.currentMenu')}</span>
      <ChevronDown aria-hidden size={16} strokeWidth={1.5} className="shrink-0 text-soft" />
    </button>
  );
}

function TemporaryTag({ onKeep }: { onKeep: () => void }) {
  const { t } = useTranslation('common');
  return (
    <>
      <Tag>{t('chat.temporaryTag')}</Tag>
      <button
        type="button"
        onClick={onKeep}
        className="relative min-h-9 shrink-0 rounded-control px-2 text-sm underline underline-offset-4 hover:bg-sunken max-sm:top-0.5 max-sm:min-h-6"
      >
        {t('chat.temporaryKeep')}
      </button>
    </>
  );
}

function Tag({ children }: { children: string }) {
  return (
    <span className="relative shrink-0 rounded-sm border border-line px-1.5 text-soft text-xs leading-5 max-sm:top-0.5">
      {children}
    </span>
  );
}
