import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { classNames } from './class-names.ts';
import { FieldError } from './field-error.tsx';

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** The heading beside the field says the same: the label is only spoken. */
  isLabelHidden?: boolean;
  /** Said at the field as an alert. */
  error?: string | undefined;
  /** A line of help under the field. */
  hint?: ReactNode;
  /** Something at the end inside the field, such as a button. */
  end?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** A one-line field with its label above, and help and error beneath. */
export function TextField({
  label,
  isLabelHidden = false,
  error,
  hint,
  end,
  className,
  ...input
}: TextFieldProps) {
  const id = useId();
  const describedBy = classNames(hint ? `${id}-hint` : null, error ? `${id}-error` : null);
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'font-medium text-sm'}>
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
          className={classNames(
            'h-11 w-full rounded-control border bg-raised px-3 text-ink placeholder:text-soft',
            error ? 'border-danger' : 'border-edge',
            end ? 'pr-12' : null,
          )}
        />
        {end ? <div className="absolute inset-y-0 right-0">{end}</div> : null}
      </div>
      {hint ? (
        <p id={`${id}-hint`} className="text-soft text-sm">
          {hint}
        </p>
      ) : null}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
