import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { ComputerState } from '#contract/message/computer.ts';
import { ApiError } from '#web/lib/api.ts';
import { followEvents } from '#web/lib/events/follow-events.ts';

export interface LiveScreen {
  /** The page now, as an address of a picture; null before the first. */
  picture: string | null;
  /** Null while not known. */
  state: ComputerState | null;
  /** Begins an act; what it returns takes the state that the server answers with, unless a newer one was told meanwhile. */
  beginAct(): (state: ComputerState) => void;
}

/** Follows the picture and the state of a run that is under way, only while `box` is on screen. */
export function useLiveScreen(
  messageId: string,
  isRunning: boolean,
  box: RefObject<HTMLElement | null>,
): LiveScreen {
  const [picture, setPicture] = useState<string | null>(null);
  const [state, setState] = useState<ComputerState | null>(null);
  const told = useRef(0);
  const isSeen = useSeen(box, isRunning);
  useEffect(() => {
    if (!isRunning || !isSeen) return;
    const controller = new AbortController();
    followEvents(`/api/messages/${messageId}/screen`, {
      signal: controller.signal,
      onEvent: ({ event, data }) => {
        if (event === 'frame') setPicture(`data:image/jpeg;base64,${(JSON.parse(data) as Frame).jpeg}`);
        if (event !== 'state') return undefined;
        const next = JSON.parse(data) as ComputerState;
        told.current += 1;
        setState(next);
        return next.state === 'ended' ? 'done' : undefined;
      },
    }).catch((error: unknown) => {
      // The run is over, or not ours: its end comes with the answer.
      if (!(error instanceof ApiError)) throw error;
    });
    return () => controller.abort();
  }, [messageId, isRunning, isSeen]);
  const beginAct = useCallback(() => {
    const before = told.current;
    return (answered: ComputerState) => {
      if (told.current === before) setState(answered);
    };
  }, []);
  return { picture, state, beginAct };
}

interface Frame {
  jpeg: string;
}

function useSeen(box: RefObject<HTMLElement | null>, wanted: boolean): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!wanted || !element) return;
    const observer = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting ?? false));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, wanted]);
  return isSeen;
}
