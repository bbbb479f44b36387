import { useEffect, useState } from 'react';
import { useModule } from '#web/lib/use-module.ts';
import { type FollowBottom, useFollowBottom } from '../scroll/use-follow-bottom.ts';
import { loadTurns } from '../turn/load-turns.ts';
import type { ConversationState } from './use-conversation.ts';
import { useTarget } from './use-target.ts';

interface ReadingPlace extends Pick<FollowBottom, 'scroller' | 'content' | 'isFar'> {
  /** Leads to the end of the branch, which is read first where it is not there. */
  goToEnd(): Promise<void>;
  /** What exchanges are drawn with; null until it is here. */
  drawn: Awaited<ReturnType<typeof loadTurns>> | null;
}

/** Milliseconds that what exchanges are drawn with leaves to the composer, where there is none to draw. */
const AFTER_COMPOSER_MS = 500;

/** Where the reader is in a conversation: at its end, at the message that the address names, or where they scrolled. */
export function useReadingPlace(conversation: ConversationState): ReadingPlace {
  const { branch, pending } = conversation;
  const { turns, isEnd, toEnd } = branch;
  const [isAhead, setAhead] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setAhead(true), AFTER_COMPOSER_MS);
    return () => clearTimeout(timer);
  }, []);
  const drawn = useModule(isAhead || turns.length > 0, loadTurns);
  const follow = useFollowBottom(branch);
  const { scroller, content, isFar, toBottom } = follow;
  useTarget(conversation, drawn !== null, follow);
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
  return { scroller, content, isFar, goToEnd, drawn };
}
