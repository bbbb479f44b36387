import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Within this many pixels of the end the reader is at the bottom. */
const BOTTOM_PX = 4;

export interface FollowBottom {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** The newest text is in sight and stays in sight. */
  following: boolean;
  /** Goes to the end and follows from there. */
  toBottom(): void;
  /** What is in sight stays where it is when the list next grows: older messages are put before it. */
  keepPlace(): void;
}

/** Keeps the end of a growing list in sight while the reader is there; any move upwards stops it, coming back resumes it. */
export function useFollowBottom(): FollowBottom {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const followed = useRef(true);
  const keptFromEnd = useRef<number | null>(null);
  const [following, setFollowing] = useState(true);

  const follow = useCallback((value: boolean) => {
    followed.current = value;
    setFollowing(value);
  }, []);

  const toBottom = useCallback(() => {
    follow(true);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [follow]);

  const keepPlace = useCallback(() => {
    const box = scroller.current;
    if (box) keptFromEnd.current = box.scrollHeight - box.scrollTop;
  }, []);

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return;
    let lastTop = box.scrollTop;
    const onScroll = () => {
      const toEnd = box.scrollHeight - box.scrollTop - box.clientHeight;
      if (toEnd <= BOTTOM_PX) follow(true);
      else if (box.scrollTop < lastTop) follow(false);
      lastTop = box.scrollTop;
    };
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && box.scrollHeight > box.clientHeight) follow(false);
    };
    const grown = new ResizeObserver(() => {
      if (keptFromEnd.current !== null) box.scrollTop = box.scrollHeight - keptFromEnd.current;
      else if (followed.current) box.scrollTop = box.scrollHeight;
      keptFromEnd.current = null;
    });
    grown.observe(inner);
    grown.observe(box);
    box.addEventListener('scroll', onScroll, { passive: true });
    box.addEventListener('wheel', onWheel, { passive: true });
    return () => {
      grown.disconnect();
      box.removeEventListener('scroll', onScroll);
      box.removeEventListener('wheel', onWheel);
    };
  }, [follow]);

  return { scroller, content, following, toBottom, keepPlace };
}
