import {
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import type { ComputerInput } from '#contract/message/computer.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { isTakenByInputMethod } from '#web/lib/use-enter-key.ts';
import { bound } from './input-queue.ts';

const MOVE_EVERY_MS = 120;
/** A finger that moved farther scrolls; pixels. */
const TAP_PX = 8;
const MODIFIERS = ['Control', 'Alt', 'Meta', 'Shift'] as const;

interface DrivenPictureProps {
  onInput: (input: ComputerInput) => void;
  /** The reader wants to leave the page with the keyboard, or it is taken from them while they type. */
  onLeave: () => void;
  /** Typing on a touch screen brings up its keyboard. */
  isTyping: boolean;
}

/**
 * Lies over the picture while the reader drives: pointer, wheel, fingers, keys and input methods go to the page. It is a text field, so
 * that an input method works and a touch screen has a keyboard; its text is never kept. Two fingers are the browser's own and make the
 * picture larger. Escape goes to the page too, a second one in a row leaves it.
 */
export function DrivenPicture({ onInput, onLeave, isTyping }: DrivenPictureProps) {
  const { t } = useTranslation('common');
  const noteId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const finger = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const movedAt = useRef(0);
  const isEscaping = useRef(false);
  useEffect(() => {
    // The keyboard of a touch screen comes with the focus.
    if (isTyping) field.current?.blur();
    field.current?.focus({ preventScroll: true });
  }, [isTyping]);
  const leave = useEffectEvent(onLeave);
  useLayoutEffect(() => {
    const element = field.current;
    // On the body the next letters would be keys of the chat.
    return () => {
      if (element !== null && element === document.activeElement) leave();
    };
  }, []);
  useEffect(() => {
    const element = field.current;
    // Around the picture it would move the conversation, or open the drawer.
    const keep = (event: Event) => event.stopPropagation();
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      keep(event);
      onInput(scrollBy(event, { dx: event.deltaX, dy: event.deltaY }, element));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    element?.addEventListener('touchmove', keep, { passive: true });
    return () => {
      element?.removeEventListener('wheel', onWheel);
      element?.removeEventListener('touchmove', keep);
    };
  }, [onInput]);

  const onPointerDown = (event: PointerEvent) => {
    const isDriving = event.pointerType !== 'mouse' && event.isPrimary;
    finger.current = isDriving ? { x: event.clientX, y: event.clientY, moved: false } : null;
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!event.isPrimary) return;
    // A finger that scrolled may be followed by no click that would end it.
    const last = event.buttons === 0 ? null : finger.current;
    if (last) {
      const [dx, dy] = [last.x - event.clientX, last.y - event.clientY];
      if (!last.moved && Math.hypot(dx, dy) < TAP_PX) return;
      finger.current = { x: event.clientX, y: event.clientY, moved: true };
      return onInput(scrollBy(event, { dx, dy }, field.current));
    }
    if (event.pointerType !== 'mouse' || event.timeStamp - movedAt.current < MOVE_EVERY_MS) return;
    movedAt.current = event.timeStamp;
    const { x, y } = placeOf(event, field.current);
    onInput({ kind: 'move', x, y });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isTakenByInputMethod(event.nativeEvent)) return;
    const wasEscaping = isEscaping.current;
    isEscaping.current = event.key === 'Escape';
    if (wasEscaping && isEscaping.current) return onLeave();
    const key = keyOf(event);
    if (key === null) return;
    event.preventDefault();
    onInput({ kind: 'key', key });
  };
  return (
    <>
      <textarea
        ref={field}
        aria-label={t('computer.surface')}
        aria-describedby={noteId}
        inputMode={isTyping ? 'text' : 'none'}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerCancel={() => {
          finger.current = null;
        }}
        onBlur={() => {
          isEscaping.current = false;
        }}
        onClick={(event) => {
          isEscaping.current = false;
          const wasMoved = finger.current?.moved === true;
          finger.current = null;
          if (wasMoved) return;
          const { x, y } = placeOf(event, field.current);
          onInput({ kind: event.detail === 2 ? 'double_click' : 'click', x, y });
        }}
        onKeyDown={onKeyDown}
        onInput={(event) => {
          const isComposing = event.nativeEvent instanceof InputEvent && event.nativeEvent.isComposing;
          if (!isComposing) sendTyped(event.currentTarget, onInput);
        }}
        onCompositionEnd={(event) => sendTyped(event.currentTarget, onInput)}
        className="absolute inset-0 size-full cursor-crosshair touch-pinch-zoom resize-none overflow-hidden bg-transparent text-transparent caret-transparent outline-none selection:bg-transparent"
      />
      <span id={noteId} className="sr-only">
        {t('computer.driving')} {t('computer.leaveKeys')}
      </span>
    </>
  );
}

function sendTyped(field: HTMLTextAreaElement, onInput: (input: ComputerInput) => void): void {
  const text = field.value;
  field.value = '';
  if (text !== '') onInput({ kind: 'type', text });
}

interface Place {
  clientX: number;
  clientY: number;
}

/** Where on the grid. */
function placeOf(at: Place, element: HTMLElement | null): { x: number; y: number } {
  const box = element?.getBoundingClientRect();
  if (!box || box.width === 0) return { x: 0, y: 0 };
  const grid = (share: number) => Math.min(999, Math.max(0, Math.floor(share * 1000)));
  return { x: grid((at.clientX - box.left) / box.width), y: grid((at.clientY - box.top) / box.height) };
}

/** Scrolls the page so that its picture moves by as many pixels of the screen. */
function scrollBy(
  at: Place,
  { dx, dy }: { dx: number; dy: number },
  element: HTMLElement | null,
): ComputerInput {
  const { width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
  const units = (distance: number, length: number) => (length === 0 ? 0 : bound((distance / length) * 1000));
  return { kind: 'scroll', ...placeOf(at, element), dx: units(dx, width), dy: units(dy, height) };
}

/** A key by its name with what is held before it; null of one that writes a letter, which comes as text. */
function keyOf(event: KeyboardEvent): string | null {
  const { key } = event;
  if (key === 'Unidentified' || key === 'Dead') return null;
  if ((MODIFIERS as readonly string[]).includes(key) || key === 'CapsLock') return null;
  const isLetter = [...key].length === 1;
  const isCommand = event.ctrlKey || event.metaKey;
  // What is pasted comes as text.
  if (isLetter && (!isCommand || event.altKey || key.toLowerCase() === 'v')) return null;
  const held = MODIFIERS.filter((name) => event.getModifierState(name) && !(isLetter && name === 'Shift'));
  return [...held.map((name) => (name === 'Meta' ? 'Control' : name)), key].join('+');
}
