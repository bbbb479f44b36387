import { classNames } from './class-names.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'small' | 'medium' | 'large';

const VARIANT: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-edge bg-raised text-ink hover:border-ink',
  quiet: 'text-ink hover:bg-sunken',
  danger: 'border border-danger bg-raised text-danger hover:bg-sunken',
};

const SIZE: Record<ButtonSize, string> = {
  small: 'min-h-9 px-3 text-sm',
  medium: 'min-h-11 px-4',
  large: 'min-h-12 px-6 text-lg',
};

/** The look of a button, for links that look like one too. */
export function buttonStyle(variant: ButtonVariant = 'primary', size: ButtonSize = 'medium'): string {
  return classNames(
    'inline-flex items-center justify-center gap-2 rounded-control font-medium leading-tight transition-colors',
    'disabled:cursor-not-allowed disabled:opacity-60',
    VARIANT[variant],
    SIZE[size],
  );
}
