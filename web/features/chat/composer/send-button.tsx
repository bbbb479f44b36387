import { ArrowUp, Square } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';

/** Nothing can be sent: in neutral colours, with words that can be read. */
const IDLE =
  'disabled:pointer-events-none disabled:border-line disabled:bg-raised disabled:text-soft disabled:opacity-100!';

interface SendButtonProps {
  sending: boolean;
  disabled: boolean;
  /** No price stands there yet, and so it would not send now. */
  isUnpriced: boolean;
  /** The element that says why nothing can be sent. */
  describedBy: string;
}

/** Sends the form it is in. It appears where the stop button was, and the second half of a double click on that one is not meant for it. */
export function SendButton({ sending, disabled, isUnpriced, describedBy }: SendButtonProps) {
  const { t } = useTranslation('common');
  const refuseSecondHalf = (event: MouseEvent) => {
    if (event.detail > 1) event.preventDefault();
    else ignoreSecondHalf();
  };
  return (
    <Button
      type="submit"
      variant={isUnpriced ? 'secondary' : 'primary'}
      size="small"
      busy={sending}
      disabled={disabled}
      aria-describedby={describedBy}
      onClick={refuseSecondHalf}
      className={classNames(isUnpriced ? '' : 'border border-transparent', IDLE)}
    >
      {sending ? t('chat.sending') : t('chat.send')}
      {sending ? null : <ArrowUp aria-hidden size={16} strokeWidth={1.75} />}
    </Button>
  );
}

/** Longer than a double click takes. */
const SECOND_HALF_MS = 600;

/** The composer of a new chat goes to the foot of the page when it has sent: the second half of a double click hits something else. */
function ignoreSecondHalf(): void {
  const timer = new AbortController();
  const ignore = (event: Event) => {
    if (!(event instanceof UIEvent) || event.detail < 2) return;
    event.preventDefault();
    event.stopPropagation();
  };
  for (const type of ['mousedown', 'click'])
    document.addEventListener(type, ignore, { capture: true, signal: timer.signal });
  setTimeout(() => timer.abort(), SECOND_HALF_MS);
}

/** Has the form that it is in wait until the running answer ends. */
export function QueueButton({ describedBy }: { describedBy: string }) {
  const { t } = useTranslation('common');
  return (
    <Button type="submit" variant="secondary" size="small" aria-describedby={describedBy}>
      {t('chat.queue')}
    </Button>
  );
}

interface StopButtonProps {
  onStop: () => Promise<boolean>;
  /** On a phone it shows only its icon, for there is another button beside it. */
  isCompact: boolean;
}

/**
 * Stops the running answer; `onStop` returns false when that did not work. It appears where the send button was, and the second
 * half of a double click on that one is not meant for it.
 */
export function StopButton({ onStop, isCompact }: StopButtonProps) {
  const { t } = useTranslation('common');
  const [stopping, setStopping] = useState(false);
  const stop = async (event: MouseEvent) => {
    if (event.detail > 1) return;
    setStopping(true);
    if (!(await onStop())) setStopping(false);
  };
  return (
    <Button variant="secondary" size="small" onClick={stop} busy={stopping}>
      <span className={isCompact ? 'max-sm:sr-only' : undefined}>
        {stopping ? t('chat.stopping') : t('chat.stop')}
      </span>
      {stopping ? null : <Square aria-hidden size={12} fill="currentColor" strokeWidth={1.5} />}
    </Button>
  );
}
