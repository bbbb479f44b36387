import { type KeyboardEvent, useState } from 'react';
import { preloadModule, useModule } from '#web/lib/use-module.ts';
import { useLoadWithNotice } from './use-load-with-notice.ts';

/**
 * Code of a menu that comes with the first press of its button: null until it is here, then the menu is to be drawn open. Until then
 * `button` goes to the button in its place, and fetches ahead what is pointed at or has the focus. Where the code cannot be fetched
 * a notice says so; the next press tries again.
 */
export function useMenuModule<T>(load: () => Promise<T>) {
  const [isPressed, setPressed] = useState(false);
  const menu = useModule(isPressed, load);
  const loadWithNotice = useLoadWithNotice(load);
  const preload = () => void preloadModule(load);
  const press = () => void loadWithNotice().then(setPressed);
  const button = {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: press,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      press();
    },
  } as const;
  return { menu, openAtOnce: isPressed, button };
}
