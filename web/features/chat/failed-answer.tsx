import { CircleAlert } from 'lucide-react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { endText } from './failure-text.ts';

/** What became of an answer that did not end well, and what it cost. */
export function FailedAnswer({ message }: { message: Message }) {
  const { t } = useTranslation('common');
  const { alert, note } = endText(t, message);
  return (
    <p className="mt-3 flex gap-2 text-danger">
      <CircleAlert aria-hidden size={18} strokeWidth={1.5} className="mt-1 shrink-0" />
      <span>
        {alert}
        {note ? <span className="block text-soft text-sm">{note}</span> : null}
      </span>
    </p>
  );
}
