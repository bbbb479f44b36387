import { useEffect, useState } from 'react';
import { type FollowBottom, useFollowBottom } from '../scroll/use-follow-bottom.ts';
import type { ConversationState } from './use-conversation.ts';
import { useTarget } from './use-target.ts';

interface ReadingPlace extends Pick<FollowBottom, 'scroller' | 'content' | 'following'> {
  /** Leads to the end of the branch, which is read first where it is not there. */
  goToEnd(): Promise<void>;
}

/** Where the reader is in a conversation: at its end, at the message that the address names, or where they scrolled. */
export function useReadingPlace(conversation: ConversationState): ReadingPlace {
  const { branch, pending } = conversation;
  const { isEnd, toEnd } = branch;
  const follow = useFollowBottom(branch);
  const { scroller, content, following, toBottom } = follow;
  useTarget(conversation, follow);
  const [wantsEnd, setWantsEnd] = useState(false);
  const isSending = pending !== null;
  useEffect(() => {
    if (isSending) toBottom();
  }, [isSending, toBottom]);
  useEffect(() => {
    if (!wantsEnd || !isEnd) return;
    setWantsEnd(false);
    toBottom();
  }, [wantsEnd, isEnd, toBottom]);
  const goToEnd = async () => {
    setWantsEnd(true);
    if ((await toEnd()) === undefined) setWantsEnd(false);
  };
  return { scroller, content, following, goToEnd };
}
