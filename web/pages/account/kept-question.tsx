import { readFirstQuestion } from '#web/features/chat/composer/first-question.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useHydrated } from '#web/lib/use-hydrated.ts';

/** The question that a visitor typed on the home page: it waits in the composer once they are signed in. */
export function KeptQuestion() {
  const { t } = useTranslation('common');
  const question = useHydrated() ? readFirstQuestion() : '';
  if (question === '') return null;
  return (
    <div className="rounded-card bg-sunken px-4 py-3">
      <p className="text-soft text-sm">{t('account.questionKept')}</p>
      <p dir="auto" className="line-clamp-3">
        {question}
      </p>
    </div>
  );
}
