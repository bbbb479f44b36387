import { useEffect } from 'react';

/** Below this many pixels it is a bar of the browser that covers the page, not a keyboard. */
const MIN_KEYBOARD_PX = 80;

/**
 * Keeps `--keyboard-inset` as high as what an on-screen keyboard covers, where the browser lays it over the page (Safari; others
 * follow `interactive-widget` of the viewport), so that the composer stands on it.
 */
export function useKeyboardInset(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const { style } = document.documentElement;
    const measure = () => {
      const covered = window.innerHeight - viewport.height - viewport.offsetTop;
      const isKeyboard = viewport.scale === 1 && covered > MIN_KEYBOARD_PX;
      style.setProperty('--keyboard-inset', isKeyboard ? `${Math.round(covered)}px` : '0px');
    };
    measure();
    viewport.addEventListener('resize', measure);
    viewport.addEventListener('scroll', measure);
    return () => {
      viewport.removeEventListener('resize', measure);
      viewport.removeEventListener('scroll', measure);
      style.removeProperty('--keyboard-inset');
    };
  }, []);
}
