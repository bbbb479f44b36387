import { ArrowUp, Square } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';

interface SendButtonProps {
  sending: boolean;
  disabled: boolean;
  /** The element that says why nothing can be sent. */
  describedBy: string;
}

/** Sends the form it is in. It appears where the stop button was, and the second half of a double click on that one is not meant for it. */
export function SendButton({ sending, disabled, describedBy }: SendButtonProps) {
  const { t } = useTranslation('common');
  const refuseSecondHalf = (event: MouseEvent) => {
    if (event.detail > 1) event.preventDefault();
  };
  return (
    <Button
      type="submit"
      size="small"
      busy={sending}
      disabled={disabled}
      aria-describedby={describedBy}
      onClick={refuseSecondHalf}
      className="disabled:pointer-events-none"
    >
      {sending ? t('chat.sending') : t('chat.send')}
      {sending ? null : <ArrowUp aria-hidden size={16} strokeWidth={1.75} />}
    </Button>
  );
}

/**
 * Stops the running answer; `onStop` gives back false when that did not work. It appears where the send button was, and the second
 * half of a double click on that one is not meant for it.
 */
export function StopButton({ onStop }: { onStop: () => Promise<boolean> }) {
  const { t } = useTranslation('common');
  const [stopping, setStopping] = useState(false);
  const stop = async (event: MouseEvent) => {
    if (event.detail > 1) return;
    setStopping(true);
    if (!(await onStop())) setStopping(false);
  };
  return (
    <Button variant="secondary" size="small" onClick={stop} busy={stopping}>
      {stopping ? t('chat.stopping') : t('chat.stop')}
      {stopping ? null : <Square aria-hidden size={12} fill="currentColor" strokeWidth={1.5} />}
    </Button>
  );
}
