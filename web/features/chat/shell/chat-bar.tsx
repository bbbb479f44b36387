import { MessageCircleDashed, PanelLeft, SquarePen } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { classNames } from '#web/ui/class-names.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { ModelMenu } from '../composer/model-menu.tsx';
import type { Panel } from '../list/use-panel.ts';
import { BarTitle, type BarTitleProps } from './bar-title.tsx';
import type { Temporary } from './use-conversation-on-screen.ts';
import type { ModelChoice } from './use-models.ts';

const ICON = { 'aria-hidden': true, size: 20, strokeWidth: 1.5 } as const;

interface ChatBarProps extends BarTitleProps {
  panel: Panel;
  choice: ModelChoice;
  temporary: Temporary;
  /** The mark with the links of the site; it stands here while the list is closed. */
  siteMenu: ReactNode;
  balance: ReactNode;
  account: ReactNode;
}

/**
 * The one bar of the chat: the conversation's title, the model in use, and the reader's balance and account. On a phone the model
 * stands beneath the title, so that both have its width.
 */
export function ChatBar({ panel, choice, temporary, siteMenu, balance, account, ...title }: ChatBarProps) {
  const { t } = useTranslation('common');
  const { models, model, choose } = choice;
  const isAlone = panel.wide && !panel.open;
  return (
    <header className="flex h-14 shrink-0 items-center gap-x-1 border-line border-b px-1 max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)_auto_auto] max-sm:grid-rows-2 max-sm:pt-0.5 max-sm:pb-px sm:pr-3 sm:pl-2 print:hidden">
      <IconButton
        label={panel.open ? t('chat.conversationsHide') : t('chat.conversationsShow')}
        aria-expanded={panel.open}
        onClick={panel.toggle}
        className="max-sm:row-span-2"
      >
        <PanelLeft {...ICON} />
      </IconButton>
      {isAlone ? siteMenu : null}
      <BarTitle {...title} />
      {temporary.toggle ? (
        <IconButton
          label={t('chat.temporary')}
          aria-pressed={temporary.on}
          onClick={temporary.toggle}
          className="gap-1.5 aria-pressed:bg-sunken aria-pressed:text-ink aria-pressed:marked-in-forced-colors max-sm:row-span-2 sm:w-auto sm:px-2.5"
        >
          <MessageCircleDashed {...ICON} className="shrink-0" />
          <span className="whitespace-nowrap text-sm max-sm:hidden">{t('chat.temporary')}</span>
        </IconButton>
      ) : null}
      {isAlone ? <NewChatLink /> : null}
      <div
        className={classNames(
          'flex min-w-0 shrink-0 max-sm:col-start-2 max-sm:row-start-2 sm:max-w-[42%]',
          title.renaming && 'max-sm:hidden',
        )}
      >
        <ModelMenu models={models} model={model} onChoose={choose} />
      </div>
      <div className="max-sm:hidden">{balance}</div>
      <div className="max-sm:col-start-4 max-sm:row-span-2 max-sm:row-start-1 sm:contents">{account}</div>
    </header>
  );
}

function NewChatLink() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <Link
      to={pathTo('chat')}
      title={t('chat.newConversation')}
      aria-label={t('chat.newConversation')}
      className="inline-flex size-11 shrink-0 items-center justify-center rounded-control text-soft hover:bg-sunken hover:text-ink"
    >
      <SquarePen {...ICON} />
    </Link>
  );
}
