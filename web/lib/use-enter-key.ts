import { type CompositionEvent, type KeyboardEvent, useState } from 'react';

interface KeyMeanings {
  /** Enter was meant, not the confirming of an input method's candidate. */
  onEnter(): void;
  /** Escape was meant, not the dropping of a candidate. */
  onEscape?(): void;
  /** Any other key that no input method took; true when it was used up. */
  onKey?(key: string): boolean;
}

/** The handlers of a field in which Enter means something; every such field has them from here. */
export function useEnterKey({ onEnter, onEscape, onKey }: KeyMeanings) {
  const [rule] = useState(createEnterRule);
  return {
    onKeyDown(event: KeyboardEvent): void {
      const verdict = rule.keyDown(event.nativeEvent);
      if (verdict !== 'pass') event.preventDefault();
      if (verdict === 'send') onEnter();
      if (verdict !== 'pass' || rule.isComposing(event.nativeEvent)) return;
      if (event.key === 'Escape' && onEscape) {
        event.preventDefault();
        event.stopPropagation();
        onEscape();
      } else if (onKey?.(event.key)) event.preventDefault();
    },
    onCompositionStart(): void {
      rule.compositionStart();
    },
    onCompositionEnd(event: CompositionEvent): void {
      rule.compositionEnd(event.timeStamp);
    },
  };
}

/** What the rule reads of a `KeyboardEvent`. */
export interface KeyPress {
  key: string;
  code: string;
  keyCode: number;
  isComposing: boolean;
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  repeat: boolean;
  timeStamp: number;
}

/** Safari ends the composition first and delivers the Enter that confirmed it right after. */
const LATE_ENTER_MS = 50;
/** What browsers report for a key that the input method took (https://w3c.github.io/uievents/#determine-keydown-keyup-keyCode). */
const TAKEN_BY_INPUT_METHOD = 229;

/** Whether a key belongs to an input method: the Enter that confirms its letters among them, which Safari delivers after the composition. */
export function isTakenByInputMethod({
  key,
  keyCode,
  isComposing,
}: Pick<KeyPress, 'key' | 'keyCode' | 'isComposing'>): boolean {
  return isComposing || keyCode === TAKEN_BY_INPUT_METHOD || key === 'Process';
}

/**
 * Decides whether a key press means Enter (`send`): Enter alone does, and never the one that confirms a candidate of an input
 * method, in the event orders of Chromium and Firefox (keydown, then compositionend) and of Safari (compositionend, then keydown).
 */
export function createEnterRule() {
  let composing = false;
  let confirmedByKey = false;
  let endedAt = Number.NEGATIVE_INFINITY;
  const isTaken = (press: KeyPress) => composing || isTakenByInputMethod(press);
  return {
    /** Whether the key belongs to the input method. */
    isComposing: isTaken,
    compositionStart(): void {
      composing = true;
      confirmedByKey = false;
    },
    compositionEnd(timeStamp: number): void {
      composing = false;
      endedAt = timeStamp;
    },
    /** Takes every keydown: `send`, `swallow` (it does nothing, not even a new line) or `pass` it on to the field. */
    keyDown(press: KeyPress): 'send' | 'swallow' | 'pass' {
      const isEnter = press.key === 'Enter' || press.code === 'Enter' || press.code === 'NumpadEnter';
      if (isTaken(press)) {
        if (isEnter) confirmedByKey = true;
        return 'pass';
      }
      if (press.key !== 'Enter' || press.shiftKey || press.ctrlKey || press.altKey || press.metaKey)
        return 'pass';
      const isLate = !confirmedByKey && press.timeStamp - endedAt <= LATE_ENTER_MS;
      return press.repeat || isLate ? 'swallow' : 'send';
    },
  };
}
