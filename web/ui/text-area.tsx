import { type ReactNode, type RefObject, type TextareaHTMLAttributes, useId, useLayoutEffect } from 'react';
import { classNames } from './class-names.ts';
import { FieldError } from './field-error.tsx';

interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  label: string;
  /** Said at the field as an alert. */
  error?: string | undefined;
  /** A line of help under the field. */
  hint?: ReactNode;
}

/** A field of several lines with its label above, and help and error beneath. */
export function TextArea({ label, error, hint, ...input }: TextAreaProps) {
  const id = useId();
  const describedBy = classNames(hint ? `${id}-hint` : null, error ? `${id}-error` : null);
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <textarea
        dir="auto"
        {...input}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
        className={classNames(
          'w-full resize-y rounded-control border bg-raised px-3 py-2 text-ink placeholder:text-soft',
          error ? 'border-danger' : 'border-edge',
        )}
      />
      {hint ? (
        <p id={`${id}-hint`} className="text-soft text-sm">
          {hint}
        </p>
      ) : null}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}

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
