import { MessageCircleDashed, PanelLeft, SquarePen } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Conversation } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { ModelMenu } from '../composer/model-menu.tsx';
import { ConversationMenu } from '../list/conversation-menu.tsx';
import { TitleField } from '../list/title-field.tsx';
import type { ConversationActions } from '../list/use-conversation-actions.ts';
import type { Panel } from '../list/use-panel.ts';
import type { Temporary } from './use-conversation-on-screen.ts';

interface ChatBarProps {
  /** The conversation on screen; undefined while it is new or not known. */
  conversation: Conversation | undefined;
  panel: Panel;
  models: readonly CatalogueModel[];
  model: CatalogueModel | undefined;
  onChoose: (id: string) => void;
  actions: ConversationActions;
  temporary: Temporary;
}

/** The line above a conversation: its title, the model in use, and the ways to other conversations. */
export function ChatBar({ conversation, panel, models, model, onChoose, actions, temporary }: ChatBarProps) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <div className="flex min-h-14 items-center gap-1 border-line border-b px-2 sm:px-4 print:border-0 print:px-0">
      <IconButton
        label={panel.open ? t('chat.conversationsHide') : t('chat.conversationsShow')}
        aria-expanded={panel.open}
        onClick={panel.toggle}
        className="print:hidden"
      >
        <PanelLeft aria-hidden size={20} strokeWidth={1.5} />
      </IconButton>
      <BarTitle key={conversation?.id ?? ''} conversation={conversation} actions={actions} />
      <div className="flex items-center print:hidden">
        <ModelMenu models={models} model={model} onChoose={onChoose} />
        {temporary.toggle ? (
          <IconButton
            label={t('chat.temporary')}
            aria-pressed={temporary.on}
            onClick={temporary.toggle}
            className="aria-pressed:bg-sunken aria-pressed:text-ink"
          >
            <MessageCircleDashed aria-hidden size={20} strokeWidth={1.5} />
          </IconButton>
        ) : null}
        <Link
          to={pathTo('chat')}
          title={t('chat.newConversation')}
          aria-label={t('chat.newConversation')}
          className="inline-flex size-11 shrink-0 items-center justify-center rounded-control text-soft hover:bg-sunken hover:text-ink"
        >
          <SquarePen aria-hidden size={20} strokeWidth={1.5} />
        </Link>
      </div>
    </div>
  );
}

type BarTitleProps = Pick<ChatBarProps, 'conversation' | 'actions'>;

/** The title, which is renamed in its place, with what else can be done with the conversation. */
function BarTitle({ conversation, actions }: BarTitleProps) {
  const { t } = useTranslation('common');
  const [renaming, setRenaming] = useState(false);
  if (!conversation) {
    return <h1 className="min-w-0 flex-1 truncate font-medium">{t('chat.title')}</h1>;
  }
  if (renaming) {
    return (
      <div className="min-w-0 flex-1">
        <h1 className="sr-only">{conversation.title}</h1>
        <TitleField
          title={conversation.title}
          onDone={(title) => {
            setRenaming(false);
            if (title !== null) void actions.rename(conversation, title);
          }}
        />
      </div>
    );
  }
  return (
    <div className="flex min-w-0 flex-1 items-center gap-1">
      <h1 dir="auto" className="min-w-0 truncate font-medium">
        {conversation.title}
      </h1>
      {conversation.temporary ? <TemporaryTag onKeep={() => void actions.keep(conversation)} /> : null}
      {conversation.archivedAt === null ? null : <Tag>{t('chat.searchArchived')}</Tag>}
      {conversation.temporary ? null : (
        <span className="relative size-9 shrink-0 pointer-coarse:size-11 print:hidden max-[22.5rem]:hidden">
          <ConversationMenu
            conversation={conversation}
            actions={actions}
            onRename={() => setRenaming(true)}
            isCurrent
          />
        </span>
      )}
    </div>
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
        className="min-h-9 shrink-0 rounded-control px-2 text-sm underline underline-offset-4 hover:bg-sunken print:hidden"
      >
        {t('chat.temporaryKeep')}
      </button>
    </>
  );
}

function Tag({ children }: { children: string }) {
  return (
    <span className="shrink-0 rounded-sm border border-line px-1.5 text-soft text-xs leading-5">
      {children}
    </span>
  );
}
