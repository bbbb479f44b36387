import { memo, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { Conversation } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { classNames } from '#web/ui/class-names.ts';
import { type Mark, useMark } from './conversation-marks.ts';
import { ConversationMenu } from './conversation-menu.tsx';
import { TitleField } from './title-field.tsx';
import type { ConversationActions } from './use-conversation-actions.ts';
import { usePrefetch } from './use-prefetch.ts';

interface ConversationRowProps {
  conversation: Conversation;
  /** Its place among the `count` of its group, from 1 on: a list may show only some of them. */
  place: number;
  count: number;
  isCurrent: boolean;
  actions: ConversationActions;
  replaces: boolean;
}

/** A title has the place of the button of its menu while that is not shown. */
const UNTIL_MENU =
  'pointer-fine:pr-3 pointer-fine:group-focus-within/row:pr-9 pointer-fine:group-hover/row:pr-9';

/** One conversation of the list: the way to it, and a menu of what can be done with it. */
export const ConversationRow = memo(
  ({ conversation, place, count, isCurrent, actions, replaces }: ConversationRowProps) => {
    const pathTo = useLocalPath();
    const mark = useMark(conversation.id);
    const markId = useId();
    const [renaming, setRenaming] = useState(false);
    const link = useRef<HTMLAnchorElement>(null);
    const { id, title } = conversation;
    const prefetch = usePrefetch(id);
    const inGroup = { 'aria-posinset': place, 'aria-setsize': count };
    if (renaming) {
      return (
        <li {...inGroup}>
          <TitleField
            title={title}
            onDone={(next, byKey) => {
              flushSync(() => setRenaming(false));
              if (byKey) link.current?.focus();
              if (next !== null) void actions.rename(conversation, next);
            }}
          />
        </li>
      );
    }
    return (
      <li
        {...inGroup}
        className="group/row relative flex rounded-control hover:bg-sunken has-[[aria-current]]:bg-selected has-[[aria-expanded=true]]:bg-sunken has-[[aria-current]]:marked-in-forced-colors [content-visibility:auto] [contain-intrinsic-size:auto_2.5rem]"
      >
        <Link
          ref={link}
          to={`${pathTo('chat')}/${id}`}
          replace={replaces}
          {...prefetch}
          onKeyDown={(event) => {
            if (event.key === 'F2') setRenaming(true);
          }}
          title={title}
          aria-describedby={mark ? markId : undefined}
          aria-current={isCurrent ? 'page' : undefined}
          className={classNames(
            // The dots of a title that is cut have the face of the link: that of a title that was shortened itself, in one weight.
            'h-10 min-w-0 flex-1 truncate rounded-control py-2 pr-9 pl-3 font-(family-name:--font-ellipsis) text-sm leading-6',
            'outline-offset-[-2px] pointer-coarse:h-11 pointer-coarse:py-2.5',
            mark ? 'pointer-coarse:pr-15' : classNames('pointer-coarse:pr-11', UNTIL_MENU),
          )}
        >
          <span dir="auto" className={classNames('font-sans', isCurrent && 'font-medium')}>
            {title}
          </span>
        </Link>
        {mark ? <MarkDot id={markId} mark={mark} /> : null}
        <ConversationMenu conversation={conversation} actions={actions} onRename={() => setRenaming(true)} />
      </li>
    );
  },
);

/**
 * A ring that breathes while the conversation is being answered, a dot once that ended unseen; before the button of its menu, or in its
 * place until that is pointed at.
 */
function MarkDot({ id, mark }: { id: string; mark: Mark }) {
  const { t } = useTranslation('common');
  const isRunning = mark === 'running';
  return (
    <span
      className={classNames(
        'pointer-events-none absolute top-1/2 right-3.5 size-2 -translate-y-1/2 rounded-full pointer-coarse:right-11',
        'pointer-fine:group-focus-within/row:invisible pointer-fine:group-hover/row:invisible',
        isRunning ? 'border border-ink motion-safe:animate-pulse' : 'bg-ink forced-colors:bg-[CanvasText]',
      )}
    >
      <span id={id} className="sr-only">
        {t(isRunning ? 'chat.markRunning' : 'chat.markEnded')}
      </span>
    </span>
  );
}
