import { CircleAlert, RotateCcw } from 'lucide-react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { endText } from '../messages/failure-text.ts';
import { priceAgain } from '../quote/extra-cost.ts';
import { leaveFocusToTurn, useTurnActions } from './turn-actions.ts';

interface FailedAnswerProps {
  message: Message;
  /** There is an earlier version beside it. */
  hasOlder: boolean;
}

/** What became of an answer that did not end well, what it cost, where the earlier one is, and the way on. */
export function FailedAnswer({ message, hasOlder }: FailedAnswerProps) {
  const { t } = useTranslation('common');
  const { alert, note } = endText(t, message);
  return (
    <div tabIndex={-1} data-failure={message.id} className="mt-3 flex gap-2 outline-none">
      <CircleAlert aria-hidden size={18} strokeWidth={1.5} className="mt-1 shrink-0 text-danger" />
      <div>
        <p className="text-danger">{alert}</p>
        {note ? <p className="text-soft text-sm">{note}</p> : null}
        {hasOlder ? <p className="text-soft text-sm">{t('chat.olderKept')}</p> : null}
        <RetryButton
          message={message}
          className={`${buttonStyle('secondary', 'small')} mt-2 pointer-coarse:min-h-11 print:hidden`}
        />
      </div>
    </div>
  );
}

/** Asks again with the model in use, whose price stands on the button; nothing while nothing can be asked. */
export function RetryButton({ message, className }: { message: Message; className: string }) {
  const { t } = useTranslation('common');
  const { canAsk, model, askBeside } = useTurnActions();
  const cost = priceAgain(message, model);
  if (!canAsk || !model || cost === null) return null;
  return (
    <button
      ref={leaveFocusToTurn}
      type="button"
      onClick={() => void askBeside(message, { model })}
      className={className}
    >
      <RotateCcw aria-hidden size={14} strokeWidth={1.5} />
      {t('chat.retryFor', { cost })}
    </button>
  );
}
