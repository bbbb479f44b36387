import { ArrowUp } from 'lucide-react';
import { type MouseEvent, useEffect, useRef } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { DOUBLE_CLICK_MS, StopButton } from './stop-button.tsx';

interface SendButtonProps {
  state: 'idle' | 'sending' | 'running';
  disabled: boolean;
  /** The element that says why nothing can be sent. */
  describedBy: string;
  onStop: () => Promise<boolean>;
}

/** Sends the form it is in; while an answer runs, stops that. A double click counts for the button it began on. */
export function SendButton({ state, disabled, describedBy, onStop }: SendButtonProps) {
  const { t } = useTranslation('common');
  const ranUntil = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (state !== 'running') return;
    return () => {
      ranUntil.current = performance.now();
    };
  }, [state]);
  if (state === 'running') return <StopButton onStop={onStop} />;
  const refuseSecondHalf = (event: MouseEvent) => {
    const isPointer = event.detail > 0;
    if (isPointer && performance.now() - ranUntil.current < DOUBLE_CLICK_MS) event.preventDefault();
  };
  return (
    <Button
      type="submit"
      size="small"
      busy={state === 'sending'}
      disabled={disabled}
      aria-describedby={describedBy}
      onClick={refuseSecondHalf}
      className="disabled:pointer-events-none"
    >
      {state === 'sending' ? t('chat.sending') : t('chat.send')}
      {state === 'sending' ? null : <ArrowUp aria-hidden size={16} strokeWidth={1.75} />}
    </Button>
  );
}
