import { useEffect, useRef } from 'react';
import type { Conversation } from '#contract/chat.ts';
import { useNear } from '../scroll/near-window.ts';
import { ConversationRow } from './conversation-row.tsx';
import type { ConversationActions } from './use-conversation-actions.ts';

/** Rows that are drawn or left out together: lower than the window with its margins, so that a few pieces fill it. */
export const ROWS_AT_ONCE = 50;

interface ConversationRowsProps {
  conversations: readonly Conversation[];
  /** How many of the group stand before them, and how many it has. */
  before: number;
  all: number;
  currentId: string;
  actions: ConversationActions;
  replaces: boolean;
}

/** Some rows of a group. Far from the window they are only as high as they would be. */
export function ConversationRows({
  conversations,
  before,
  all,
  currentId,
  ...shared
}: ConversationRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const { near } = useNear(list, before === 0);
  // A row that comes to those that are drawn is seen to come.
  useEffect(() => {
    list.current?.classList.toggle('rows', near);
  }, [near]);
  return (
    <ul
      ref={list}
      className="flex flex-col [--row:2.5rem] pointer-coarse:[--row:2.75rem]"
      style={near ? undefined : { height: `calc(${conversations.length} * var(--row))` }}
    >
      {near
        ? conversations.map((conversation, index) => (
            <ConversationRow
              key={conversation.id}
              conversation={conversation}
              place={before + index + 1}
              count={all}
              isCurrent={conversation.id === currentId}
              {...shared}
            />
          ))
        : null}
    </ul>
  );
}
