import { type RefObject, useEffect } from 'react';

/**
 * Gives an element of a dialog the focus when it comes after the dialog was opened, as `data-focus-first` does when it is there before:
 * only while what holds it has the focus, so that no user is taken from where they went meanwhile.
 */
export function useFocusWithin(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = element;
    if (current && document.activeElement !== current && document.activeElement?.contains(current))
      current.focus({ preventScroll: true });
  }, [element]);
}
