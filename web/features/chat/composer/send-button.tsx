import { ArrowUp } from 'lucide-react';
import type { MouseEvent } from 'react';
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
