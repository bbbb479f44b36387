import { useTranslation } from '#web/lib/i18n.tsx';
import type { AdminTextKey } from '#web/lib/translate.ts';
import { Fold } from '#web/ui/text/fold.tsx';

/** Words as they stand on the screens, and what explains them. */
type Words = readonly (readonly [words: readonly AdminTextKey[], explanation: AdminTextKey])[];

const LEDGER = [
  [['admin.screen.ledger'], 'admin.bookWords.ledger'],
  [['admin.user.buckets'], 'admin.bookWords.bucket'],
  [['admin.bucket.amount', 'admin.word.entryKind.grant'], 'admin.bookWords.granted'],
  [['admin.bucket.available'], 'admin.bookWords.available'],
  [['admin.bucket.held'], 'admin.bookWords.held'],
  [['admin.bucket.spent', 'admin.word.entryKind.charge'], 'admin.bookWords.spent'],
  [['admin.word.entryKind.release'], 'admin.bookWords.returned'],
  [['admin.bucket.expired', 'admin.word.entryKind.expire'], 'admin.bookWords.expired'],
  [['admin.bucket.revoked', 'admin.word.entryKind.revoke'], 'admin.bookWords.revoked'],
  [['admin.word.entryKind.adjust'], 'admin.bookWords.adjusted'],
  [['admin.ledger.drift'], 'admin.bookWords.drift'],
  [['admin.ledger.unrecovered'], 'admin.bookWords.unrecovered'],
] as const satisfies Words;

const MARGIN = [
  [['admin.margin.revenue'], 'admin.bookWords.revenue'],
  [['admin.margin.cost'], 'admin.bookWords.cost'],
  [['admin.margin.margin'], 'admin.bookWords.margin'],
  [['admin.margin.percent'], 'admin.bookWords.percent'],
  [['admin.margin.estimated'], 'admin.bookWords.estimated'],
] as const satisfies Words;

/** Explains the words of the books to whoever keeps none, folded. */
export function BookWords({ of }: { of: 'ledger' | 'margin' }) {
  const { t } = useTranslation('admin');
  return (
    <Fold label={t('admin.bookWords.title')}>
      <dl className="mt-1 grid max-w-prose gap-x-6 gap-y-2 text-sm sm:grid-cols-[max-content_1fr]">
        {(of === 'ledger' ? LEDGER : MARGIN).map(([words, explanation]) => (
          <div key={explanation} className="contents">
            <dt className="font-medium">{[...new Set(words.map((word) => t(word)))].join(' / ')}</dt>
            <dd className="text-soft max-sm:-mt-1.5 max-sm:mb-1">{t(explanation)}</dd>
          </div>
        ))}
      </dl>
    </Fold>
  );
}
