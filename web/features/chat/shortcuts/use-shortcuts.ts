import { useEffect, useEffectEvent } from 'react';
import { readSingleKeys, type Shortcut, shortcutOf } from './shortcuts.ts';

/** What the screen does; the rest is done in the conversation itself. */
type ScreenShortcut = Extract<Shortcut, 'search' | 'help' | 'new' | 'list'>;

/** Listens for the keys of the chat while no dialog and no menu is open. */
export function useShortcuts(meanings: Record<ScreenShortcut, () => void>): void {
  const run = useEffectEvent((shortcut: Shortcut) => {
    if (shortcut === 'composer') document.querySelector<HTMLElement>('[data-composer]')?.focus();
    else if (shortcut === 'older' || shortcut === 'newer') turnVersion(shortcut);
    else meanings[shortcut]();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const shortcut = shortcutOf(event, { inField: isField(event.target), singleKeys: readSingleKeys() });
      if (!shortcut || document.querySelector('dialog[open], [popover]:popover-open')) return;
      event.preventDefault();
      run(shortcut);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Whether keys there are text: in a field, and in a box from which a field may vanish while somebody types. */
function isField(target: EventTarget | null): boolean {
  const fields = 'input, textarea, select, [contenteditable]';
  return (
    target instanceof HTMLElement && (target.matches(fields) || target.closest('[data-typed-in]') !== null)
  );
}

/** Shows another version of the exchange that has the focus, else of the last one that has versions. */
function turnVersion(direction: 'older' | 'newer'): void {
  const focused = document.activeElement?.closest('article');
  const group =
    focused?.querySelector('[data-versions]') ?? [...document.querySelectorAll('[data-versions]')].at(-1);
  const [older, newer] = group?.querySelectorAll('button') ?? [];
  (direction === 'older' ? older : newer)?.click();
}
