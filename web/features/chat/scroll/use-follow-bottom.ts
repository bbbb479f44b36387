import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Turn } from '../messages/thread.ts';
import { ScrollFollower } from './scroll-follower.ts';

export interface FollowBottom {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** The newest text is in sight and stays in sight. */
  following: boolean;
  /** Goes to the end and follows from there. */
  toBottom(): void;
  /** Brings an element into sight and keeps it there. */
  show(element: HTMLElement): void;
}

/**
 * Keeps the end of a growing list in sight while the reader is there, and otherwise the place that the reader looks at: at once
 * when other `turns` are listed, so that no scrolling comes between, and whenever the list changes its size.
 */
export function useFollowBottom(turns: readonly Turn[]): FollowBottom {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follower = useRef<ScrollFollower>(null);
  const [following, setFollowing] = useState(true);
  useEffect(() => {
    if (!scroller.current || !content.current) return;
    const made = new ScrollFollower(scroller.current, content.current, setFollowing);
    follower.current = made;
    return made.watch();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the turns are what moved the place.
  useLayoutEffect(() => follower.current?.relisted(), [turns]);
  const toBottom = useCallback(() => follower.current?.toBottom(), []);
  const show = useCallback((element: HTMLElement) => follower.current?.show(element), []);
  return { scroller, content, following, toBottom, show };
}
