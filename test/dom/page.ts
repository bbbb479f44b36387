import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { onTestFinished, vi } from 'vitest';
import { PATIENT } from '#test/patient.ts';

/** What happy-dom calls itself on the window. */
interface HappyWindow {
  happyDOM: { setURL(url: string): void };
}

let root: Root | undefined;

/** Gives the document the origin of a server, so that paths lead there, and what happy-dom lacks: popovers and locks. */
export function openPage(origin: string): void {
  (window as unknown as HappyWindow).happyDOM.setURL(`${origin}/zh/chat`);
  document.addEventListener('click', pressTarget);
  Object.assign(HTMLElement.prototype, { showPopover, hidePopover });
  Object.defineProperty(navigator, 'locks', { value: LOCKS, configurable: true });
}

/** Opens the page for one test, with timers that go on only when they are told to. */
export function openStillPage(): void {
  openPage('http://127.0.0.1');
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    closePage();
  });
}

/** Draws into an empty document, with what listens there. */
export function draw(node: ReactNode): void {
  const place = document.body.appendChild(document.createElement('div'));
  const opened = createRoot(place);
  root = opened;
  flushSync(() => opened.render(node));
}

/** Takes away what was drawn, and what it kept. */
export function closePage(): void {
  root?.unmount();
  root = undefined;
  open.clear();
  document.removeEventListener('click', pressTarget);
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
}

/** The element of a kind whose name or text contains `name`; waits until it is there. */
export function find<T extends HTMLElement = HTMLElement>(selector: string, name = ''): Promise<T> {
  return vi.waitFor(() => {
    const found = all<T>(selector, name)[0];
    if (!found) throw new Error(`no ${selector} is called “${name}” in: ${document.body.textContent}`);
    return found;
  }, PATIENT);
}

/** The elements of a kind, as they are now, whose name or text contains `name`. */
export function all<T extends HTMLElement = HTMLElement>(selector: string, name = ''): T[] {
  return [...document.querySelectorAll<T>(selector)].filter((one) =>
    (one.getAttribute('aria-label') ?? one.textContent ?? '').includes(name),
  );
}

/** What stands on the page. */
export function shown(): string {
  return document.body.textContent ?? '';
}

/** Presses a key where the focus is; Enter and the space bar press a button, as in a browser. */
export function pressKey(key: string): void {
  const target = document.activeElement ?? document.body;
  const isOn = target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  if (key === 'Escape') for (const popover of open.keys()) popover.hidePopover();
  else if (isOn && (key === 'Enter' || key === ' ') && target instanceof HTMLButtonElement) target.click();
}

/** Types a text into a field in place of what is there. */
export function type(field: HTMLTextAreaElement | HTMLInputElement, text: string): void {
  // React keeps its own setter on the element, and takes a value set by that for nothing new.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Gives an element an event that carries something, such as files; false where it was prevented. */
export function give(target: Element, type: string, carried: object): boolean {
  const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), carried);
  return target.dispatchEvent(event);
}

/** Of a browser with this tab alone. */
const LOCKS = { request: async () => {}, query: async () => ({ held: [], pending: [] }) };

/** The popovers that are open, each with what had the focus before. */
const open = new Map<HTMLElement, Element | null>();

function showPopover(this: HTMLElement): void {
  if (open.has(this)) return;
  open.set(this, document.activeElement);
  toggle(this, 'open');
}

function hidePopover(this: HTMLElement): void {
  const before = open.get(this);
  if (!open.delete(this)) return;
  toggle(this, 'closed');
  if (before instanceof HTMLElement) before.focus();
}

/** By popover, the second of its events that is still to come. */
const coming = new Map<HTMLElement, ReturnType<typeof setTimeout>>();

/** The two events of https://html.spec.whatwg.org/multipage/popover.html: one at once, one in a task that a later one takes the place of. */
function toggle(popover: HTMLElement, newState: 'open' | 'closed'): void {
  popover.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState }));
  clearTimeout(coming.get(popover));
  const tell = () => popover.dispatchEvent(Object.assign(new Event('toggle'), { newState }));
  coming.set(popover, setTimeout(tell));
}

function pressTarget({ target }: Event): void {
  const button = target instanceof Element ? target.closest('[popovertarget]') : null;
  const popover = document.getElementById(button?.getAttribute('popovertarget') ?? '');
  if (!popover) return;
  if (open.has(popover)) popover.hidePopover();
  else popover.showPopover();
}
