const waiting = new Map<Element, () => void>();
let watcher: IntersectionObserver | null = null;
let isIdlePlanned = false;

/** How far outside of what is in sight is drawn at once. */
const NEAR = '1000px 0px';
const LATEST_MS = 1_000;

/**
 * Calls back once: as soon as the element is near what the reader sees, else when the browser has nothing else to do, the lowest
 * first; before printing for all. The function it gives back leaves the row.
 */
export function whenNear(element: Element, reveal: () => void): () => void {
  watcher ??= watch();
  waiting.set(element, reveal);
  watcher.observe(element);
  planIdle();
  return () => leave(element);
}

function watch(): IntersectionObserver {
  addEventListener('beforeprint', () => {
    for (const element of [...waiting.keys()]) show(element);
  });
  const seen = (entries: IntersectionObserverEntry[]) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) show(target);
  };
  const margins = { rootMargin: NEAR, scrollMargin: NEAR };
  return new IntersectionObserver(seen, margins);
}

function show(element: Element): void {
  const reveal = waiting.get(element);
  leave(element);
  reveal?.();
}

function leave(element: Element): void {
  waiting.delete(element);
  watcher?.unobserve(element);
}

function planIdle(): void {
  if (isIdlePlanned) return;
  isIdlePlanned = true;
  const next = () => {
    isIdlePlanned = false;
    const lowest = [...waiting.keys()].at(-1);
    if (!lowest) return;
    show(lowest);
    planIdle();
  };
  if ('requestIdleCallback' in globalThis) requestIdleCallback(next, { timeout: LATEST_MS });
  else setTimeout(next, 50);
}
