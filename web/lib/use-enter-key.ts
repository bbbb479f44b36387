import { type CompositionEvent, type KeyboardEvent, useState } from 'react';
import { createEnterRule } from './enter-rule.ts';

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
