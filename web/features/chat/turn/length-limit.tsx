import { CornerDownRight, RotateCcw } from 'lucide-react';
import { useMemo } from 'react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { extrasToGoOn, mayBeLess } from '../quote/extra-cost.ts';
import { useQuote } from '../quote/use-quote.ts';
import { leaveFocusToTurn, TURN_BUTTON, useTurnActions } from './turn-actions.ts';

/** Says that an answer stands at its length limit; under the last one, offers to go on, with the price of that. */
export function LengthLimit({ message }: { message: Message }) {
  const { t } = useTranslation('common');
  const { canAsk, lastId, model } = useTurnActions();
  const canGoOn = canAsk && message.id === lastId && (model?.cost ?? null) !== null;
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-4 text-soft text-sm">
      {t('chat.lengthLimit')}
      {canGoOn ? <GoOn message={message} /> : null}
    </p>
  );
}

/** Goes on with what the answer was asked for with, such as its search, at the price of that. */
function GoOn({ message }: { message: Message }) {
  const { t } = useTranslation('common');
  const { model, isAsked, send } = useTurnActions();
  const { id, conversationId } = message;
  const extras = useMemo(() => extrasToGoOn(message, model), [message, model]);
  const quote = useQuote({ conversationId, parentId: id, model, extras, isAsked });
  const { max } = quote;
  if (quote.error)
    return (
      <button ref={leaveFocusToTurn} type="button" onClick={quote.retry} className={`${TURN_BUTTON} -ml-2`}>
        <RotateCcw aria-hidden size={14} strokeWidth={1.5} />
        {t('chat.continuePrice')}
      </button>
    );
  if (max === null) return <span role="status">{t('quote.pending')}</span>;
  return (
    <button
      ref={leaveFocusToTurn}
      type="button"
      disabled={quote.isPending}
      onClick={() => void send(t('chat.continuePrompt'), extras, max)}
      className={`${TURN_BUTTON} -ml-2 disabled:opacity-60`}
    >
      <CornerDownRight aria-hidden size={14} strokeWidth={1.5} />
      {t(mayBeLess(quote.lines) ? 'chat.continueMost' : 'chat.continueFor', { cost: max })}
    </button>
  );
}
