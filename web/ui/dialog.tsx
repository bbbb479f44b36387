import { X } from 'lucide-react';
import {
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { FieldError } from './field-error.tsx';
import { IconButton } from './icon-button.tsx';
import { CutText, FILE_ENDING } from './text/cut-text.tsx';

interface DialogProps {
  open: boolean;
  /** Asked for by Escape, by the close button or by a press beside the dialog. */
  onClose: () => void;
  title: string;
  /** Takes the whole height at an edge instead of the middle of the screen; `true` is the right one. */
  sheet?: boolean | 'left';
  /** Interrupts: `alertdialog`. */
  alert?: boolean;
  /** Shows what will not be shown again: only what is in it closes it. */
  stays?: boolean;
  /** For what is looked through, such as results: wider, and at the top, so that it does not jump while they come. */
  wide?: boolean;
  /**
   * For a file that is looked at, with its name as the title: takes most of the window, and all of it on a phone; `fitted`: on a
   * desk no wider than its content needs.
   */
  large?: boolean | 'fitted';
  /** What is said beneath the title. */
  note?: ReactNode;
  /** What stands before the button that closes it. */
  actions?: ReactNode;
  /** One of them may have `data-focus-first`: it has the focus when the dialog opens. Of two, one in the other, the inner one has. */
  children: ReactNode;
}

const FOCUS_FIRST = '[data-focus-first]:not(:has([data-focus-first]))';
const LARGE =
  'm-auto phone:m-0 phone:h-dvh phone:max-h-none phone:w-screen phone:max-w-none phone:rounded-none phone:border-0';
const FULL = 'w-[min(64rem,calc(100vw-1.5rem))]';
const FITTED =
  'w-fit min-w-[min(32rem,calc(100vw-1.5rem))] max-w-[min(64rem,calc(100vw-1.5rem))] phone:min-w-0';

/** A modal dialog on the browser's own `<dialog>`: keeps the focus inside and gives it back. */
export function Dialog({
  open,
  onClose,
  title,
  sheet = false,
  alert = false,
  stays = false,
  wide = false,
  large = false,
  note,
  actions,
  children,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const edge = sheet === true ? 'right' : sheet || undefined;
  const [leaving, setLeaving] = useState(false);
  const [wasOpen, setWasOpen] = useState(open);
  if (wasOpen !== open) {
    setWasOpen(open);
    setLeaving(!open && edge !== undefined);
  }

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (open && !dialog.open) {
      dialog.showModal();
      dialog.querySelector<HTMLElement>(FOCUS_FIRST)?.focus();
    }
    if (!open && dialog.open) dialog.close();
  }, [open]);

  // A sheet keeps what is in it until it has gone back to its edge.
  useEffect(() => {
    if (!leaving) return;
    const ways = ref.current?.getAnimations().map(({ finished }) => finished) ?? [];
    void Promise.allSettled(ways).then(() => setLeaving(false));
  }, [leaving]);

  const askToClose = () => {
    if (!stays) onClose();
  };
  // The second click of a double click was meant for what opened this dialog.
  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === ref.current && event.detail < 2) askToClose();
  };

  // Escape goes through `open`, and a close that is reported late does not undo an opening since.
  const onCancel = (event: SyntheticEvent) => {
    if (event.target !== ref.current) return;
    event.preventDefault();
    askToClose();
  };
  // Browsers let a second Escape close a dialog that refused the first.
  const onClosed = () => {
    if (ref.current?.open) return;
    if (stays && open) ref.current?.showModal();
    else onClose();
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it on Escape; a press beside it is an extra.
    <dialog
      ref={ref}
      role={alert ? 'alertdialog' : undefined}
      aria-labelledby={titleId}
      data-edge={edge}
      onCancel={onCancel}
      onClose={onClosed}
      onClick={closeOnBackdrop}
      className={classNames(
        'border-line bg-raised p-0 text-ink shadow-float backdrop:bg-backdrop',
        edge
          ? classNames(
              'my-0 h-dvh max-h-none w-80 max-w-[88vw]',
              edge === 'left' ? 'mr-auto ml-0 border-r' : 'mr-0 ml-auto border-l',
            )
          : classNames(
              'rounded-card border',
              large
                ? classNames(LARGE, large === 'fitted' ? FITTED : FULL)
                : wide
                  ? 'mx-auto mt-[10dvh] w-[min(40rem,calc(100vw-2rem))]'
                  : 'm-auto w-[min(28rem,calc(100vw-2rem))]',
            ),
      )}
    >
      <div
        className={classNames(
          'flex min-h-full flex-col p-5',
          large && 'phone:h-full phone:p-0 phone:pb-[env(safe-area-inset-bottom)]',
        )}
      >
        <DialogHead
          titleId={titleId}
          title={title}
          note={note}
          actions={actions}
          isName={large !== false}
          onClose={stays ? undefined : onClose}
        />
        {open || leaving ? children : null}
      </div>
    </dialog>
  );
}

interface DialogHeadProps extends Pick<DialogProps, 'title' | 'note' | 'actions'> {
  titleId: string;
  /** The title is the name of a file, which is shown as it is, in one line. */
  isName: boolean;
  onClose: (() => void) | undefined;
}

function DialogHead({ titleId, title, note, actions, isName, onClose }: DialogHeadProps) {
  const { t } = useTranslation('common');
  return (
    <div
      className={classNames(
        'mb-3 flex items-center justify-between gap-4',
        isName && 'phone:mb-4 phone:gap-1 phone:px-4 phone:pt-4',
      )}
    >
      <div className="min-w-0">
        <h2
          id={titleId}
          dir={isName ? 'auto' : undefined}
          title={isName ? title : undefined}
          aria-label={isName ? title : undefined}
          className={classNames(
            'font-semibold text-lg',
            isName && '[text-autospace:no-autospace] max-sm:text-base',
          )}
        >
          {isName ? <CutText text={title} end={FILE_ENDING} /> : title}
        </h2>
        {note ? <p className="text-sm text-soft tabular-nums max-sm:truncate">{note}</p> : null}
      </div>
      {actions || onClose ? (
        <div className="flex shrink-0 items-center gap-2 max-sm:gap-0">
          {actions}
          {onClose ? (
            <IconButton label={t('dialog.close')} onClick={onClose} className="-mr-2">
              <X aria-hidden size={20} strokeWidth={1.5} />
            </IconButton>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

/** The foot of a dialog: its buttons at the end of the line, the one that changes nothing first; `stacked`: long ones, under each other. */
export function DialogActions({ stacked = false, children }: { stacked?: boolean; children: ReactNode }) {
  return (
    <div className={classNames('mt-6 flex justify-end gap-2', stacked ? 'flex-col' : 'max-sm:flex-col')}>
      {children}
    </div>
  );
}

interface QuestionDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What follows from yes, in a sentence. */
  text: ReactNode;
  /** What cannot be undone of it. */
  warning?: ReactNode;
  /** What went wrong, if anything did. */
  problem: string | null;
  /** Leaves everything as it is: stands first and has the focus. */
  keep: string;
  /** Does it. */
  act: string;
  busy: boolean;
  onAct: () => void;
}

/** Asks before something that cannot be undone, or ends something. Stays while that is under way: it says there how it went. */
export function QuestionDialog({
  open,
  onClose,
  title,
  text,
  warning,
  problem,
  keep,
  act,
  busy,
  onAct,
}: QuestionDialogProps) {
  return (
    <Dialog alert open={open} stays={busy} onClose={onClose} title={title}>
      <p className="mb-3">{text}</p>
      {warning ? <p className="mb-3">{warning}</p> : null}
      <FieldError>{problem}</FieldError>
      <DialogActions>
        <Button data-focus-first variant="secondary" disabled={busy} onClick={onClose}>
          {keep}
        </Button>
        <Button variant="danger" busy={busy} onClick={onAct}>
          {act}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
