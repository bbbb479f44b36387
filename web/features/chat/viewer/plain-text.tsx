import { useRef } from 'react';
import { useFocusWithin } from '../overlay/use-focus-within.ts';

/** A text as it is, which scrolls in its place. */
export function PlainText({ text }: { text: string }) {
  const box = useRef<HTMLPreElement>(null);
  useFocusWithin(box);
  return (
    <pre
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: long texts are scrolled by keyboard too.
      tabIndex={0}
      data-focus-first
      dir="auto"
      className="whitespace-pre-wrap font-sans text-sm wrap-anywhere [text-autospace:no-autospace] sm:max-h-[65dvh] sm:overflow-auto sm:rounded-control sm:border sm:border-line sm:bg-paper sm:p-4"
    >
      {text}
    </pre>
  );
}
