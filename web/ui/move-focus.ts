const ITEMS = '[role^="menuitem"]';

/** Moves the focus among the items of a menu as the key says; false when the key means nothing there. */
export function moveFocus(menu: HTMLElement, key: string): boolean {
  const items = [...menu.querySelectorAll<HTMLElement>(ITEMS)];
  const place = items.indexOf(document.activeElement as HTMLElement);
  const target = targetOf(items, place, key);
  target?.focus();
  return target !== undefined;
}

/** Focuses the chosen item of a menu that has just opened, else its first. */
export function focusItem(menu: HTMLElement | null): void {
  const item =
    menu?.querySelector<HTMLElement>('[aria-checked="true"]') ?? menu?.querySelector<HTMLElement>(ITEMS);
  item?.focus();
}

function targetOf(items: HTMLElement[], place: number, key: string): HTMLElement | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return items[(place + 1) % items.length];
    case 'ArrowUp':
    case 'ArrowLeft':
      return items.at(place <= 0 ? -1 : place - 1);
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    default:
      return key.length === 1 && key !== ' ' ? startingWith(items, place, key) : undefined;
  }
}

/** The next item whose text begins with the letter, from behind the focused one on. */
function startingWith(items: HTMLElement[], place: number, letter: string): HTMLElement | undefined {
  const ordered = [...items.slice(place + 1), ...items.slice(0, place + 1)];
  return ordered.find((item) => item.textContent?.trim().toLowerCase().startsWith(letter.toLowerCase()));
}
