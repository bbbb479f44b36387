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
  /** For a file that is looked at: takes most of the window. */
  large?: boolean;
  /** One of them may have `data-focus-first`: it has the focus when the dialog opens. */
  children: ReactNode;
}

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
  children,
}: DialogProps) {
  const { t } = useTranslation('common');
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
      dialog.querySelector<HTMLElement>('[data-focus-first]')?.focus();
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
  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === ref.current) askToClose();
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
                ? 'm-auto w-[min(64rem,calc(100vw-1.5rem))]'
                : wide
                  ? 'mx-auto mt-[10dvh] w-[min(40rem,calc(100vw-2rem))]'
                  : 'm-auto w-[min(28rem,calc(100vw-2rem))]',
            ),
      )}
    >
      <div className="flex min-h-full flex-col p-5">
        <div className="mb-3 flex items-center justify-between gap-4">
          <h2 id={titleId} className="font-semibold text-lg">
            {title}
          </h2>
          {stays ? null : (
            <IconButton label={t('dialog.close')} onClick={onClose} className="-mr-2">
              <X aria-hidden size={20} strokeWidth={1.5} />
            </IconButton>
          )}
        </div>
        {open || leaving ? children : null}
      </div>
    </dialog>
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
  /** What went wrong, if anything did. */
  problem: string | null;
  /** Leaves everything as it is: stands first and has the focus. */
  keep: string;
  /** Does it. */
  act: string;
  busy: boolean;
  onAct: () => void;
}

/** Asks before something that cannot be undone, or ends something. */
export function QuestionDialog({
  open,
  onClose,
  title,
  text,
  problem,
  keep,
  act,
  busy,
  onAct,
}: QuestionDialogProps) {
  return (
    <Dialog alert open={open} onClose={onClose} title={title}>
      <p className="mb-3">{text}</p>
      <FieldError>{problem}</FieldError>
      <DialogActions>
        <Button data-focus-first variant="secondary" onClick={onClose}>
          {keep}
        </Button>
        <Button variant="danger" busy={busy} onClick={onAct}>
          {act}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
