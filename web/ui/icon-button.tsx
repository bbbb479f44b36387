import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The accessible name, and the tooltip. */
  label: string;
  children: ReactNode;
}

/** A square button that shows only an icon. One that is disabled keeps the focus: it may be the last step that was pressed. */
export function IconButton({ label, className, children, disabled, onClick, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
      className={classNames(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-control text-soft transition-colors',
        'hover:bg-sunken hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:opacity-60',
        className,
      )}
    >
      {children}
    </button>
  );
}
