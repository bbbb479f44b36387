import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { Link } from 'react-router';
import { classNames } from './class-names.ts';

interface MenuProps {
  /** The button that opens it; it needs an accessible name. */
  trigger: ReactElement;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'bottom';
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

const ITEM = classNames(
  'flex min-h-11 cursor-pointer select-none items-center gap-3 rounded-control px-3 py-2 text-left outline-none',
  'data-highlighted:bg-sunken data-disabled:cursor-not-allowed',
);

/** A menu that drops from its trigger: arrow keys, type-ahead, Escape, focus back to the trigger. */
export function Menu({ trigger, align = 'end', side = 'bottom', children, ...root }: MenuProps) {
  return (
    <BaseMenu.Root modal={false} {...root}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner align={align} side={side} sideOffset={8} collisionPadding={12} className="z-40">
          <BaseMenu.Popup
            className={classNames(
              'max-h-(--available-height) w-max min-w-52 max-w-[min(24rem,var(--available-width))] overflow-y-auto',
              'rounded-card border border-line bg-raised p-1.5 shadow-float outline-none transition-opacity',
              'data-ending-style:opacity-0 data-starting-style:opacity-0',
            )}
          >
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  onSelect: () => void;
  disabled?: boolean;
  children: ReactNode;
}

export function MenuItem({ icon, onSelect, disabled = false, children }: MenuItemProps) {
  return (
    <BaseMenu.Item className={ITEM} onClick={onSelect} disabled={disabled}>
      {icon}
      {children}
    </BaseMenu.Item>
  );
}

/** An item that leads to a page. */
export function MenuLink({ icon, to, children }: { icon?: ReactNode; to: string; children: ReactNode }) {
  return (
    <BaseMenu.LinkItem className={ITEM} closeOnClick render={<Link to={to} />}>
      {icon}
      {children}
    </BaseMenu.LinkItem>
  );
}

interface MenuChoiceProps<T extends string> {
  /** What the choice is about, for those who do not see it. */
  label: string;
  value: T;
  onChange: (value: T) => void;
  children: ReactNode;
}

/** A group of items of which one is chosen. */
export function MenuChoice<T extends string>({ label, value, onChange, children }: MenuChoiceProps<T>) {
  return (
    <BaseMenu.RadioGroup aria-label={label} value={value} onValueChange={(next: T) => onChange(next)}>
      {children}
    </BaseMenu.RadioGroup>
  );
}

interface MenuOptionProps {
  value: string;
  disabled?: boolean;
  children: ReactNode;
}

/** One item of a `MenuChoice`; a disabled one can be reached by keyboard, but not chosen. */
export function MenuOption({ value, disabled = false, children }: MenuOptionProps) {
  return (
    <BaseMenu.RadioItem
      value={value}
      disabled={disabled}
      closeOnClick
      className={classNames(ITEM, 'items-start')}
    >
      <span className="mt-1 size-4 shrink-0">
        <BaseMenu.RadioItemIndicator>
          <Check aria-hidden size={16} strokeWidth={1.5} />
        </BaseMenu.RadioItemIndicator>
      </span>
      <span className="min-w-0 flex-1">{children}</span>
    </BaseMenu.RadioItem>
  );
}

export function MenuSeparator() {
  return <BaseMenu.Separator className="mx-1.5 my-1.5 h-px bg-line" />;
}
