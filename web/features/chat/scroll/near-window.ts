import { createContext, type RefObject, useContext, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** What is this far outside the window is drawn in full; what is further away keeps little more than its height. */
const MARGIN = '1500px 0px';

/** Called when an element comes near the window of its scrolling box or leaves it, with its height in pixels. */
type Listener = (near: boolean, height: number) => void;

/** Watches which of many elements are near the window of one scrolling box. When the page is printed, all of `printed` boxes are. */
class NearWindow {
  private readonly listeners = new Map<Element, Listener>();
  private readonly observer: IntersectionObserver;
  private readonly controller = new AbortController();

  constructor(box: Element, printed: boolean) {
    this.observer = new IntersectionObserver((entries) => this.notify(entries), {
      root: box,
      rootMargin: MARGIN,
    });
    if (!printed) return;
    const { signal } = this.controller;
    window.addEventListener('beforeprint', () => flushSync(() => this.showAll()), { signal });
    window.addEventListener('afterprint', () => this.lookAgain(), { signal });
  }

  watch(element: Element, listener: Listener): () => void {
    this.listeners.set(element, listener);
    this.observer.observe(element);
    return () => {
      this.listeners.delete(element);
      this.observer.unobserve(element);
    };
  }

  stop(): void {
    this.observer.disconnect();
    this.controller.abort();
  }

  private notify(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const near = isIntersecting || isInUse(target);
      this.listeners.get(target)?.(near, boundingClientRect.height);
    }
  }

  private showAll(): void {
    for (const [element, listener] of this.listeners) listener(true, element.clientHeight);
  }

  private lookAgain(): void {
    this.observer.disconnect();
    for (const element of this.listeners.keys()) this.observer.observe(element);
  }
}

/** What holds the focus or a part of the selection is not taken away from under the reader. */
function isInUse(element: Element): boolean {
  if (element.contains(document.activeElement)) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}

/** The watch of the list around; null until the list is on screen. */
export const NearContext = createContext<NearWindow | null>(null);

/** Watches which elements in a box are near its window, once the box is there. */
export function useNearWindow(box: RefObject<Element | null>, printed: boolean): NearWindow | null {
  const [made, setMade] = useState<NearWindow | null>(null);
  useEffect(() => {
    if (!box.current) return;
    const watch = new NearWindow(box.current, printed);
    setMade(watch);
    return () => watch.stop();
  }, [box, printed]);
  return made;
}

/** Whether an element is near the window, and how high it was when it last was; `height` is null where it was never drawn. */
export function useNear(
  element: RefObject<HTMLElement | null>,
  initially: boolean,
): { near: boolean; height: number | null } {
  const around = useContext(NearContext);
  const [state, setState] = useState<{ near: boolean; height: number | null }>({
    near: initially,
    height: null,
  });
  useEffect(() => {
    if (!around || !element.current) return;
    return around.watch(element.current, (near, height) =>
      setState((before) => {
        if (before.near === near) return before;
        return { near, height: before.near ? height : before.height };
      }),
    );
  }, [around, element]);
  return state;
}
