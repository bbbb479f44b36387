import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { FieldError } from './field-error.tsx';

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  label: ReactNode;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
}

/** Ours: in the dark, browsers fill one at rest with a grey that looks switched off. Theirs where the system chooses the colours. */
const BOX = [
  'mt-0.5 grid size-5 shrink-0 place-content-center appearance-none forced-colors:appearance-auto',
  'rounded-sm border border-soft bg-raised checked:border-ink checked:bg-ink aria-invalid:border-danger disabled:opacity-60',
  'before:size-3 before:scale-0 before:bg-paper checked:before:scale-100',
  'before:[clip-path:polygon(14%_44%,0_62%,44%_100%,100%_18%,82%_4%,40%_66%)]',
].join(' ');

/** A checkbox with its label beside it and its error beneath. */
export function Checkbox({ label, error, ...input }: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start gap-2.5">
        <input
          {...input}
          id={id}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className={BOX}
        />
        <label htmlFor={id} className="text-sm leading-6">
          {label}
        </label>
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
