import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { Conversation } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLanguage } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { NearContext, useNearWindow } from '../scroll/near-window.ts';
import { ConversationRows, ROWS_AT_ONCE } from './conversation-rows.tsx';
import { type DayGroup, groupByDay, monthName } from './day-groups.ts';
import type { ConversationActions } from './use-conversation-actions.ts';
import type { Conversations } from './use-conversations.ts';

interface ConversationListProps {
  list: Conversations;
  currentId: string;
  actions: ConversationActions;
  /** Said when there is none. */
  emptyText: string;
  /** Its links take the place of the list in the history: it lies over the page. */
  replaces: boolean;
}

/** The reader's conversations by day, the pinned ones first; the arrow keys go from one to the next. */
export function ConversationList({ list, emptyText, ...shared }: ConversationListProps) {
  const { conversations, failed } = list;
  if (!conversations) return failed ? <FailedList list={list} /> : null;
  if (conversations.length === 0) return <p className="px-3 py-2 text-soft text-sm">{emptyText}</p>;
  return <Groups list={list} conversations={conversations} {...shared} />;
}

interface GroupsProps extends Omit<ConversationListProps, 'emptyText'> {
  conversations: readonly Conversation[];
}

function Groups({ list: { loadOlder }, conversations, ...shared }: GroupsProps) {
  const { t } = useTranslation('common');
  const now = useToday();
  const groups = useMemo(() => groupByDay(conversations, now), [conversations, now]);
  const scroller = useRef<Element>(null);
  const nearWindow = useNearWindow(scroller, false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the links, which are interactive.
    <div
      ref={(element) => {
        scroller.current = element?.closest('[data-scroller], dialog') ?? null;
      }}
      onKeyDown={moveBetweenLinks}
    >
      <NearContext value={nearWindow}>
        {groups.map((group) => (
          <Group key={`${group.kind}-${group.month}`} group={group} now={now} {...shared} />
        ))}
      </NearContext>
      {loadOlder ? (
        <LoadMore
          label={t('chat.conversationsMore')}
          failedText={t('chat.conversationsFailed')}
          load={loadOlder}
        />
      ) : null}
    </div>
  );
}

interface GroupProps extends Omit<ConversationListProps, 'list' | 'emptyText'> {
  group: DayGroup;
  now: number;
}

function Group({ group, now, ...shared }: GroupProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mb-3">
      <h2 id={id} className="px-3 pt-2 pb-1 font-medium text-soft text-xs">
        <GroupName group={group} now={now} />
      </h2>
      {piecesOf(group.conversations).map((conversations, index) => (
        <ConversationRows
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place; what stands in it moves on.
          key={index}
          conversations={conversations}
          before={index * ROWS_AT_ONCE}
          all={group.conversations.length}
          {...shared}
        />
      ))}
    </section>
  );
}

function piecesOf(conversations: readonly Conversation[]): Conversation[][] {
  return Array.from({ length: Math.ceil(conversations.length / ROWS_AT_ONCE) }, (_, index) =>
    conversations.slice(index * ROWS_AT_ONCE, (index + 1) * ROWS_AT_ONCE),
  );
}

function GroupName({ group, now }: { group: DayGroup; now: number }) {
  const { t } = useTranslation('common');
  const language = useLanguage();
  switch (group.kind) {
    case 'pinned':
      return t('chat.groupPinned');
    case 'today':
      return t('chat.groupToday');
    case 'yesterday':
      return t('chat.groupYesterday');
    case 'week':
      return t('chat.groupWeek');
    case 'month':
      return monthName(group.month ?? now, now, language);
  }
}

function FailedList({ list }: { list: Conversations }) {
  const { t } = useTranslation('common');
  return (
    <div className="flex flex-col items-start gap-2 px-3 py-2">
      <p className="text-soft text-sm">{t('chat.conversationsFailed')}</p>
      <Button variant="secondary" size="small" onClick={list.retry}>
        {t('chat.reload')}
      </Button>
    </div>
  );
}

function moveBetweenLinks(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || !(event.target instanceof HTMLAnchorElement)) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('li > a')];
  const next = links[links.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const MINUTE_MS = 60_000;

/** A time of today; it changes when the day does, so that what is grouped by day is grouped anew. */
function useToday(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      setNow((before) => (new Date(before).getDate() === new Date().getDate() ? before : Date.now()));
    }, MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
