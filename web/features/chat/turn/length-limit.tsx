import { CornerDownRight } from 'lucide-react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { TURN_BUTTON, useTurnActions } from './turn-actions.ts';

/** Says that an answer stands at its length limit; under the last one, offers to go on, with the price of that. */
export function LengthLimit({ message }: { message: Message }) {
  const { t } = useTranslation('common');
  const { canAsk, lastId, model, send } = useTurnActions();
  const cost = model?.cost ?? null;
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-4 text-soft text-sm">
      {t('chat.lengthLimit')}
      {canAsk && cost !== null && message.id === lastId ? (
        <button
          type="button"
          onClick={() => void send(t('chat.continuePrompt'))}
          className={`${TURN_BUTTON} -ml-2`}
        >
          <CornerDownRight aria-hidden size={14} strokeWidth={1.5} />
          {t('chat.continueFor', { cost })}
        </button>
      ) : null}
    </p>
  );
}
