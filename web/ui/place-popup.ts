const GAP_PX = 8;
const EDGE_PX = 12;

/** Puts an open popup under the button that opens it (`popovertarget`), or above it where there is more room, inside the window. */
export function placePopup(popup: HTMLElement | null, id: string, align: 'start' | 'end'): void {
  const trigger = document.querySelector(`[popovertarget="${CSS.escape(id)}"]`)?.getBoundingClientRect();
  if (!popup || !trigger) return;
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const below = height - trigger.bottom - GAP_PX - EDGE_PX;
  const above = trigger.top - GAP_PX - EDGE_PX;
  const isAbove = below < popup.scrollHeight && above > below;
  popup.style.maxHeight = `${Math.max(isAbove ? above : below, 0)}px`;
  const left = align === 'start' ? trigger.left : trigger.right - popup.offsetWidth;
  const furthest = width - popup.offsetWidth - EDGE_PX;
  popup.style.left = `${Math.max(EDGE_PX, Math.min(left, furthest))}px`;
  popup.style.top = `${isAbove ? trigger.top - GAP_PX - popup.offsetHeight : trigger.bottom + GAP_PX}px`;
  popup.style.visibility = 'visible';
}
