import { CircleAlert } from 'lucide-react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { endText } from '../messages/failure-text.ts';

interface FailedAnswerProps {
  message: Message;
  /** There is an earlier version beside it. */
  hasOlder: boolean;
}

/** What became of an answer that did not end well, what it cost, and where the earlier one is. */
export function FailedAnswer({ message, hasOlder }: FailedAnswerProps) {
  const { t } = useTranslation('common');
  const { alert, note } = endText(t, message);
  return (
    <p className="mt-3 flex gap-2 text-danger">
      <CircleAlert aria-hidden size={18} strokeWidth={1.5} className="mt-1 shrink-0" />
      <span>
        {alert}
        {note ? <span className="block text-soft text-sm">{note}</span> : null}
        {hasOlder ? <span className="block text-soft text-sm">{t('chat.olderKept')}</span> : null}
      </span>
    </p>
  );
}
