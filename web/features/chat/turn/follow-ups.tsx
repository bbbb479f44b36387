import { CornerDownRight } from 'lucide-react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useTurnActions } from './turn-actions.ts';

interface FollowUpsProps {
  questions: readonly string[];
  /** They came after the answer, while it may be read: nothing is moved for them. */
  late: boolean;
}

/** Questions that may come next. One that is chosen stands in the composer with its price, to be changed or sent. */
export function FollowUps({ questions, late }: FollowUpsProps) {
  const { t } = useTranslation('common');
  const { fill } = useTurnActions();
  return (
    <section aria-label={t('followUps.title')} data-late={late || undefined} className="pt-3 print:hidden">
      <ul className="-mx-2 flex flex-col items-start">
        {questions.map((question) => (
          <li key={question} className="max-w-full">
            <button
              type="button"
              dir="auto"
              onClick={() => fill(question)}
              className="flex min-h-9 max-w-full items-start gap-2 rounded-control px-2 py-1.5 text-left text-sm text-soft hover:bg-sunken hover:text-ink pointer-coarse:min-h-11"
            >
              <CornerDownRight aria-hidden size={16} strokeWidth={1.5} className="mt-0.5 shrink-0" />
              <span className="wrap-anywhere">{question}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
