import { type RefObject, useLayoutEffect, useState } from 'react';

/** In CSS pixels. */
export interface Size {
  width: number;
  height: number;
}

/** The inner size of an element, as it is now; without its scroll bars. */
export function useSize(box: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [box]);
  return size;
}
