import { type MouseEvent, type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react';

interface ModalProps {
  open: boolean;
  /** Asked for by Escape or by a press beside it. */
  onClose: () => void;
  /** Its accessible name. */
  label: string;
  className: string;
  /** Drawn from the first opening on, so that it is still there while it leaves. */
  children: ReactNode;
}

/** A modal `<dialog>` without a look of its own: keeps the focus inside and gives it back. */
export function Modal({ open, onClose, label, className, children }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const [wasOpen, setWasOpen] = useState(open);
  if (open && !wasOpen) setWasOpen(true);
  useEffect(() => {
    const dialog = ref.current;
    if (open && !dialog?.open) dialog?.showModal();
    if (!open && dialog?.open) dialog.close();
  }, [open]);

  // Escape goes through `open`, as in `Dialog`.
  const onCancel = (event: SyntheticEvent) => {
    if (event.target !== ref.current) return;
    event.preventDefault();
    onClose();
  };
  const onClosed = () => {
    if (open && !ref.current?.open) onClose();
  };
  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === ref.current) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it on Escape; a press beside it is an extra.
    <dialog
      ref={ref}
      aria-label={label}
      onCancel={onCancel}
      onClose={onClosed}
      onClick={closeOnBackdrop}
      className={className}
    >
      {wasOpen ? children : null}
    </dialog>
  );
}
