import { type ReactNode, type TextareaHTMLAttributes, useId } from 'react';
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
