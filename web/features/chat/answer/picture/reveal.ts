/** Shows what was waited for; `atOnce` before this call returns, because the page is about to be printed. */
type Reveal = (atOnce: boolean) => void;

const waiting = new Map<Element, Reveal>();
const idle = new Set<Element>();
let watcher: IntersectionObserver | null = null;
let isIdlePlanned = false;

/** How far outside of what is in sight is drawn at once. */
const NEAR = '1000px 0px';
const LATEST_MS = 1_000;

/**
 * Calls back once: as soon as the element is near what the reader sees, and before the page is printed. The function it returns
 * leaves the row.
 */
export function whenNear(element: Element, reveal: Reveal): () => void {
  watcher ??= watch();
  waiting.set(element, reveal);
  watcher.observe(element);
  return () => leave(element);
}

/** As `whenNear`, and when the browser has nothing else to do, the lowest first. */
export function whenNearOrIdle(element: Element, reveal: Reveal): () => void {
  const stop = whenNear(element, reveal);
  idle.add(element);
  planIdle();
  return stop;
}

function watch(): IntersectionObserver {
  addEventListener('beforeprint', () => {
    for (const element of [...waiting.keys()]) show(element, true);
  });
  const seen = (entries: IntersectionObserverEntry[]) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) show(target, false);
  };
  const margins = { rootMargin: NEAR, scrollMargin: NEAR };
  return new IntersectionObserver(seen, margins);
}

function show(element: Element, atOnce: boolean): void {
  const reveal = waiting.get(element);
  leave(element);
  reveal?.(atOnce);
}

function leave(element: Element): void {
  waiting.delete(element);
  idle.delete(element);
  watcher?.unobserve(element);
}

function planIdle(): void {
  if (isIdlePlanned) return;
  isIdlePlanned = true;
  const next = () => {
    isIdlePlanned = false;
    const lowest = [...idle].at(-1);
    if (!lowest) return;
    show(lowest, false);
    planIdle();
  };
  if ('requestIdleCallback' in globalThis) requestIdleCallback(next, { timeout: LATEST_MS });
  else setTimeout(next, 50);
}
