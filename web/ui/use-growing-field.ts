import { type RefObject, useLayoutEffect } from 'react';

/** Makes a field as high as its text where the browser does not do so by itself (`field-sizing: content`). */
export function growField(field: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight}px`;
}

/** Keeps a field as high as its `text`. */
export function useGrowingField(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text, though not by its value.
  useLayoutEffect(() => {
    if (field.current) growField(field.current);
  }, [field, text]);
}
