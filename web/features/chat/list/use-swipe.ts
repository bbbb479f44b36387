import { useEffect, useEffectEvent } from 'react';
import type { Panel } from './use-panel.ts';

/** A drawer is drawn in from this far off the edge; browsers keep the outermost pixels to themselves. */
const EDGE_PX = 56;
/** As far as a finger goes before it means something. */
const FAR_PX = 44;

interface Place {
  x: number;
  y: number;
}

/** Opens the drawer by a finger that goes inwards from the left edge, and closes it by one that goes back. */
export function useSwipe({ open, wide, toggle }: Panel): void {
  const onSwipe = useEffectEvent(toggle);
  useEffect(() => {
    if (wide) return;
    let start: Place | null = null;
    const onStart = ({ touches, target }: TouchEvent) => {
      const place = touches.length === 1 ? placeOf(touches) : null;
      start = place && (open || (place.x <= EDGE_PX && isFree(target))) ? place : null;
    };
    const onMove = ({ touches }: TouchEvent) => {
      const place = placeOf(touches);
      if (!start || !place) return;
      const [across, down] = [place.x - start.x, Math.abs(place.y - start.y)];
      if (down > FAR_PX / 2 && down > Math.abs(across)) start = null;
      if (!start || (open ? -across : across) < FAR_PX) return;
      start = null;
      onSwipe();
    };
    document.addEventListener('touchstart', onStart, { passive: true });
    document.addEventListener('touchmove', onMove, { passive: true });
    return () => {
      document.removeEventListener('touchstart', onStart);
      document.removeEventListener('touchmove', onMove);
    };
  }, [open, wide]);
}

function placeOf(touches: TouchList): Place | null {
  const touch = touches[0];
  return touch ? { x: touch.clientX, y: touch.clientY } : null;
}

/** Whether the finger is on the page itself: over no dialog, no selection, and nothing that it would scroll back. */
function isFree(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open], [popover]:popover-open')) return false;
  if (getSelection()?.isCollapsed === false) return false;
  for (let node = target instanceof Element ? target : null; node; node = node.parentElement) {
    if (node.scrollLeft > 0) return false;
  }
  return true;
}
