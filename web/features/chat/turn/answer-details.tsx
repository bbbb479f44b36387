import { Info } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { placePopup } from '#web/ui/place-popup.ts';
import { QUIET, TURN_ACTION } from './turn-actions.ts';

const loadList = () => import('./details-list.tsx');

interface AnswerDetailsProps {
  message: Message;
  modelTitle: string;
}

/** Which model answered, when, how long it took, the tokens and what was charged, in a small window of its own. */
export function AnswerDetails({ message, modelTitle }: AnswerDetailsProps) {
  const { t } = useTranslation('common');
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const list = useModule(open, loadList);
  const place = () => placePopup(popup.current, id, 'start');
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        title={t('chat.details')}
        aria-label={t('chat.details')}
        aria-expanded={open}
        className={`${TURN_ACTION} ${QUIET}`}
      >
        <Info aria-hidden size={16} strokeWidth={1.5} />
      </button>
      <div
        ref={(element) => {
          popup.current = element;
          if (element && open && list) place();
        }}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={t('chat.details')}
        onToggle={(event) => setOpen(event.newState === 'open')}
        className="invisible fixed inset-auto m-0 w-80 max-w-[calc(100vw-1.5rem)] overflow-y-auto rounded-card border border-line bg-raised p-4 text-ink text-sm shadow-float"
      >
        {open && list ? <list.DetailsList message={message} modelTitle={modelTitle} /> : null}
      </div>
    </>
  );
}
