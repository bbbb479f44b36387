import { type ReactNode, useRef, useState } from 'react';
import { ApiError } from '#web/lib/api.ts';
import type { TextKey } from '#web/lib/translate.ts';
import { reachProblem } from '../sign-in/sign-in.ts';
import { ConfirmationDialog } from './confirmation-dialog.tsx';
import { ConfirmationDismissed, type Confirmed } from './confirmation-dismissed.ts';

export { ConfirmationDismissed };

/** The text key of an act that failed: `otherwise` where nothing better is known; null when its user turned back. */
export function actProblem(error: unknown, otherwise: TextKey): TextKey | null {
  return error instanceof ConfirmationDismissed ? null : (reachProblem(error) ?? otherwise);
}

interface Asking {
  answer: Promise<void>;
  confirm: () => void;
  dismiss: () => void;
}

/**
 * For acts of which the server wants a fresh proof that it is the user: `confirmed(act)` runs `act`, asks in `dialog` where the
 * server does, and runs it again. Rejects as `act` does, and with `ConfirmationDismissed`. Put `dialog` somewhere on the page.
 */
export function useConfirmation(): {
  confirmed: Confirmed;
  dialog: ReactNode;
} {
  const [open, setOpen] = useState(false);
  const asking = useRef<Asking | null>(null);

  const ask = () => {
    asking.current ??= startAsking();
    setOpen(true);
    return asking.current.answer;
  };
  const end = (how: 'confirm' | 'dismiss') => {
    asking.current?.[how]();
    asking.current = null;
    setOpen(false);
  };
  const confirmed = async <T,>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'confirmation_required') throw error;
      await ask();
      return act();
    }
  };
  const dialog = (
    <ConfirmationDialog open={open} onConfirmed={() => end('confirm')} onDismiss={() => end('dismiss')} />
  );
  return { confirmed, dialog };
}

function startAsking(): Asking {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { answer: promise, confirm: resolve, dismiss: () => reject(new ConfirmationDismissed()) };
}
