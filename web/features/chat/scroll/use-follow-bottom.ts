import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { Turn } from '../messages/thread.ts';
import { ScrollFollower } from './scroll-follower.ts';

interface FollowedList {
  turns: readonly Turn[];
  /** Nothing is to be read below them. */
  isEnd: boolean;
}

export interface FollowBottom {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** The newest text is far below the window. */
  isFar: boolean;
  /** Goes to the end and follows from there. */
  toBottom(): void;
  /** Brings an element into sight and keeps it there. */
  show(element: HTMLElement): void;
}

/**
 * Keeps the end of a growing list in sight while the reader is there, and otherwise the place that the reader looks at: at once
 * when other `turns` are listed, so that no scrolling comes between, and whenever the list changes its size. Nothing is followed while
 * more is to be read below.
 */
export function useFollowBottom({ turns, isEnd }: FollowedList): FollowBottom {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follower = useRef<ScrollFollower>(null);
  const [isFar, setFar] = useState(false);
  useLayoutEffect(() => {
    if (!scroller.current || !content.current) return;
    const made = new ScrollFollower(scroller.current, content.current, setFar);
    follower.current = made;
    return made.watch();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the turns are what moved the place.
  useLayoutEffect(() => follower.current?.relisted(isEnd), [turns, isEnd]);
  const toBottom = useCallback(() => follower.current?.toBottom(), []);
  const show = useCallback((element: HTMLElement) => follower.current?.show(element), []);
  return { scroller, content, isFar, toBottom, show };
}
