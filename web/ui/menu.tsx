import { Check, ChevronDown } from 'lucide-react';
import {
  cloneElement,
  createContext,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type ToggleEvent,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { classNames } from './class-names.ts';
import { focusItem, moveFocus } from './move-focus.ts';
import { placePopup } from './place-popup.ts';

interface MenuProps {
  /** The button that opens it; it needs an accessible name and passes on what it is given. */
  trigger: ReactElement<HTMLAttributes<HTMLButtonElement> & { popoverTarget?: string }>;
  align?: 'start' | 'end';
  /** Its items are sentences, which are to stand on one line. */
  wide?: boolean;
  /** It is open from the beginning, because its trigger was pressed before it was here. */
  openAtOnce?: boolean;
  children: ReactNode;
}

const ITEM = classNames(
  'flex min-h-11 w-full select-none items-center gap-3 rounded-control px-3 py-2 text-left outline-offset-[-2px]',
  'hover:bg-sunken focus:bg-sunken aria-disabled:cursor-not-allowed',
);

const CloseContext = createContext<() => void>(() => {});
/** Places the menu anew, for what changes its height. */
const PlaceContext = createContext<() => void>(() => {});

/**
 * A menu that drops from its trigger, on the browser's own popover: arrow keys, type-ahead, Escape, focus back to the trigger
 * (https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/). Its items exist only while it is open.
 */
export function Menu({ trigger, align = 'end', wide = false, openAtOnce = false, children }: MenuProps) {
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  const place = useCallback(() => placePopup(popup.current, id, align), [id, align]);

  useEffect(() => {
    if (!open) return;
    const seen = [window, window.visualViewport];
    for (const one of seen) one?.addEventListener('resize', place);
    return () => {
      for (const one of seen) one?.removeEventListener('resize', place);
    };
  }, [open, place]);

  useEffect(() => {
    if (!openAtOnce) return;
    // Where the focus comes back to.
    document.getElementById(`${id}-trigger`)?.focus();
    popup.current?.showPopover();
  }, [openAtOnce, id]);

  const onBeforeToggle = (event: ToggleEvent<HTMLDivElement>) => {
    if (event.newState === 'open') flushSync(() => setOpen(true));
  };
  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    if (event.newState === 'closed') return setOpen(false);
    place();
    focusItem(popup.current);
  };
  const close = () => popup.current?.hidePopover();
  const onTriggerKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    popup.current?.showPopover();
  };
  const onKey = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Tab') close();
    else if (moveFocus(event.currentTarget, event.key)) event.preventDefault();
  };

  return (
    <>
      {cloneElement(trigger, {
        id: `${id}-trigger`,
        popoverTarget: id,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        onKeyDown: onTriggerKey,
      })}
      <div
        ref={popup}
        id={id}
        popover="auto"
        role="menu"
        aria-labelledby={`${id}-trigger`}
        tabIndex={-1}
        onBeforeToggle={onBeforeToggle}
        onToggle={onToggle}
        onKeyDown={onKey}
        className={classNames(
          'fades-below invisible fixed inset-auto m-0 w-max min-w-52 overflow-y-auto overscroll-contain',
          wide ? 'max-w-[min(32rem,calc(100vw-1.5rem))]' : 'max-w-[min(24rem,calc(100vw-1.5rem))]',
          'rounded-card border border-line bg-raised p-1.5 text-ink shadow-float outline-none',
        )}
      >
        {open ? (
          <PlaceContext value={place}>
            <CloseContext value={close}>{children}</CloseContext>
          </PlaceContext>
        ) : null}
      </div>
    </>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, onSelect, children }: MenuItemProps) {
  const close = useContext(CloseContext);
  const select = () => {
    close();
    onSelect();
  };
  return (
    <button type="button" role="menuitem" onClick={select} className={ITEM}>
      {icon}
      {children}
    </button>
  );
}

interface MenuLinkProps {
  icon?: ReactNode;
  to: string;
  /** The page is in another language: it is loaded as a document of its own. */
  language?: string;
  children: ReactNode;
}

/** An item that leads to a page. */
export function MenuLink({ icon, to, language, children }: MenuLinkProps) {
  const close = useContext(CloseContext);
  return (
    <Link
      to={to}
      role="menuitem"
      onClick={close}
      reloadDocument={language !== undefined}
      hrefLang={language}
      lang={language}
      className={ITEM}
    >
      {icon}
      {children}
    </Link>
  );
}

interface Choice {
  value: string;
  choose(value: string): void;
}

const ChoiceContext = createContext<Choice>({ value: '', choose: () => {} });

interface MenuChoiceProps<T extends string> {
  /** What the choice is about, for those who do not see it. */
  label: string;
  value: T;
  onChange: (value: T) => void;
  children: ReactNode;
}

/** A group of items of which one is chosen. */
export function MenuChoice<T extends string>({ label, value, onChange, children }: MenuChoiceProps<T>) {
  const choose = (next: string) => onChange(next as T);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu.
    <div role="group" aria-label={label}>
      <ChoiceContext value={{ value, choose }}>{children}</ChoiceContext>
    </div>
  );
}

interface MenuOptionProps {
  value: string;
  disabled?: boolean;
  /** It stands beside the others, in a row. */
  inRow?: boolean;
  /** Stands where the mark of a chosen one does. */
  icon?: ReactNode;
  children: ReactNode;
}

const IN_ROW =
  'flex-1 flex-col justify-center gap-1 whitespace-nowrap px-2 text-sm aria-checked:bg-selected aria-checked:font-medium aria-checked:inset-ring aria-checked:inset-ring-edge aria-checked:marked-in-forced-colors';

/** One item of a `MenuChoice`; a disabled one can be reached by keyboard, but not chosen. */
export function MenuOption({ value, disabled = false, inRow = false, icon, children }: MenuOptionProps) {
  const close = useContext(CloseContext);
  const choice = useContext(ChoiceContext);
  const isChosen = choice.value === value;
  const select = () => {
    if (disabled) return;
    close();
    choice.choose(value);
  };
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={isChosen}
      aria-disabled={disabled || undefined}
      onClick={select}
      className={classNames(ITEM, inRow ? IN_ROW : 'items-start')}
    >
      {inRow ? (
        children
      ) : (
        <>
          <span className="mt-1 size-4 shrink-0">
            {isChosen ? <Check aria-hidden size={16} strokeWidth={1.5} /> : icon}
          </span>
          <span className="min-w-0 flex-1">{children}</span>
        </>
      )}
    </button>
  );
}

interface MenuToggleProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** An item that is on or off. */
export function MenuToggle({ checked, onChange, children }: MenuToggleProps) {
  const close = useContext(CloseContext);
  const toggle = () => {
    close();
    onChange(!checked);
  };
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      aria-checked={checked}
      onClick={toggle}
      className={classNames(ITEM, 'items-start')}
    >
      <span className="mt-1 size-4 shrink-0">
        {checked ? <Check aria-hidden size={16} strokeWidth={1.5} /> : null}
      </span>
      <span className="min-w-0 flex-1">{children}</span>
    </button>
  );
}

interface MenuFoldProps {
  label: string;
  children: ReactNode;
}

/** Items that are shown when its own item is pressed. */
export function MenuFold({ label, children }: MenuFoldProps) {
  const [open, setOpen] = useState(false);
  const place = useContext(PlaceContext);
  const own = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (!open) return;
    place();
    own.current?.scrollIntoView({ block: 'start' });
  }, [open, place]);
  return (
    <>
      <button
        ref={own}
        type="button"
        role="menuitem"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={classNames(ITEM, 'text-soft')}
      >
        <ChevronDown
          aria-hidden
          size={16}
          strokeWidth={1.5}
          className={classNames('shrink-0', open && 'rotate-180')}
        />
        {label}
      </button>
      {open ? children : null}
    </>
  );
}

/** Between groups of items. */
export function MenuSeparator() {
  return <hr className="mx-1.5 my-1.5 border-line" />;
}
