const GAP_PX = 8;
const EDGE_PX = 12;

/**
 * Puts an open popup under the button that opens it (`popovertarget`), or above it where there is more room, inside what is seen of the
 * window: an on-screen keyboard may lie over it.
 */
export function placePopup(popup: HTMLElement | null, id: string, align: 'start' | 'end'): void {
  const trigger = document.querySelector(`[popovertarget="${CSS.escape(id)}"]`)?.getBoundingClientRect();
  if (!popup || !trigger) return;
  const { clientWidth: width } = document.documentElement;
  const { top, bottom } = seenHeight();
  const below = bottom - Math.max(trigger.bottom, top) - GAP_PX - EDGE_PX;
  const above = Math.min(trigger.top, bottom) - top - GAP_PX - EDGE_PX;
  const isAbove = below < popup.scrollHeight && above > below;
  popup.style.maxHeight = `${Math.max(isAbove ? above : below, 0)}px`;
  const left = align === 'start' ? trigger.left : trigger.right - popup.offsetWidth;
  const furthest = width - popup.offsetWidth - EDGE_PX;
  popup.style.left = `${Math.max(EDGE_PX, Math.min(left, furthest))}px`;
  const place = isAbove
    ? Math.min(trigger.top, bottom) - GAP_PX - popup.offsetHeight
    : Math.max(trigger.bottom, top) + GAP_PX;
  popup.style.top = `${place}px`;
  popup.style.visibility = 'visible';
}

/** From where to where the window is seen, in pixels from its top; all of it while it is enlarged by fingers. */
function seenHeight(): { top: number; bottom: number } {
  const { visualViewport: seen } = window;
  if (seen?.scale !== 1) return { top: 0, bottom: document.documentElement.clientHeight };
  return { top: seen.offsetTop, bottom: seen.offsetTop + seen.height };
}
