import {
  type HTMLAttributes,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import { type Overlay, useOverlay } from '../overlay/use-overlay.ts';

/** A phone held sideways. One held upright is as low while its keyboard is open, but never as wide. */
const LOW = '(min-width: 34rem) and (max-height: 30rem)';

interface FullWindow {
  isFull: boolean;
  /** What the box has besides its role meanwhile. */
  attributes: HTMLAttributes<HTMLElement>;
}

/**
 * Lets `box` fill the window while the reader drives in one too low for the picture and the chat; its parent, which holds nothing else,
 * keeps its place. It is where it was again when the phone is turned, the driving ends, or the reader goes back.
 */
export function useFullWindow(box: RefObject<HTMLElement | null>, isDriving: boolean): FullWindow {
  const isLow = useSyncExternalStore(
    subscribeLow,
    () => matchMedia(LOW).matches,
    () => false,
  );
  const isWanted = isDriving && isLow;
  const overlay = useOverlay(useId());
  const isFull = isWanted && overlay.open;
  const latest = useRef<Overlay>(overlay);
  latest.current = overlay;
  useEffect(() => {
    // What is already open over the page stays above it.
    if (!isWanted || document.querySelector('dialog[open]')) return;
    latest.current.show();
    return () => latest.current.close();
  }, [isWanted]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!isFull || !element) return;
    const place = element.parentElement as HTMLElement;
    place.style.height = `${element.offsetHeight}px`;
    element.setAttribute('popover', 'manual');
    element.showPopover();
    if (!element.contains(document.activeElement)) element.focus({ preventScroll: true });
    return () => {
      element.removeAttribute('popover');
      place.style.height = '';
    };
  }, [box, isFull]);
  if (!isFull) return { isFull, attributes: {} };
  // On the picture it is a key for the page.
  const onKeyDown = ({ key, target }: KeyboardEvent<HTMLElement>) => {
    if (key === 'Escape' && !(target instanceof HTMLTextAreaElement)) overlay.close();
  };
  return { isFull, attributes: { 'aria-modal': true, onKeyDown } };
}

function subscribeLow(listener: () => void): () => void {
  const query = matchMedia(LOW);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
