import { useTranslation } from '#web/lib/i18n.tsx';

const POINTS = ['price', 'failure', 'ledger'] as const;

/** What is different here, in three sentences. */
export function Points() {
  const { t } = useTranslation('common');
  return (
    <section aria-labelledby="points" className="border-line border-y">
      <h2 id="points" className="sr-only">
        {t('home.pointsTitle')}
      </h2>
      <ul className="page grid gap-6 py-8 sm:gap-8 sm:py-10 md:grid-cols-3 md:gap-12">
        {POINTS.map((point) => (
          <li key={point}>
            <h3 className="mb-1 font-semibold text-lg">{t(`home.points.${point}.title`)}</h3>
            <p className="text-soft">{t(`home.points.${point}.text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
