import { useTranslation } from '#web/lib/i18n.tsx';
import type { AdminTextKey } from '#web/lib/translate.ts';
import { Fold } from '#web/ui/text/fold.tsx';

/** Terms as they stand on the screens, and the explanation of each. */
type Words = readonly (readonly [words: readonly AdminTextKey[], explanation: AdminTextKey])[];

const LEDGER = [
  [['admin.screen.ledger'], 'admin.accountingTerms.ledger'],
  [['admin.user.buckets'], 'admin.accountingTerms.bucket'],
  [['admin.bucket.amount', 'admin.word.entryKind.grant'], 'admin.accountingTerms.granted'],
  [['admin.bucket.available'], 'admin.accountingTerms.available'],
  [['admin.bucket.held'], 'admin.accountingTerms.held'],
  [['admin.bucket.spent', 'admin.word.entryKind.charge'], 'admin.accountingTerms.spent'],
  [['admin.word.entryKind.release'], 'admin.accountingTerms.returned'],
  [['admin.bucket.expired', 'admin.word.entryKind.expire'], 'admin.accountingTerms.expired'],
  [['admin.bucket.revoked', 'admin.word.entryKind.revoke'], 'admin.accountingTerms.revoked'],
  [['admin.word.entryKind.adjust'], 'admin.accountingTerms.adjusted'],
  [['admin.ledger.drift'], 'admin.accountingTerms.drift'],
  [['admin.ledger.unrecovered'], 'admin.accountingTerms.unrecovered'],
] as const satisfies Words;

const MARGIN = [
  [['admin.margin.revenue'], 'admin.accountingTerms.revenue'],
  [['admin.margin.cost'], 'admin.accountingTerms.cost'],
  [['admin.margin.margin'], 'admin.accountingTerms.margin'],
  [['admin.margin.percent'], 'admin.accountingTerms.percent'],
  [['admin.margin.estimated'], 'admin.accountingTerms.estimated'],
] as const satisfies Words;

/** A folded list that explains the terms of the ledger or of the margin to an operator. */
export function AccountingTerms({ of }: { of: 'ledger' | 'margin' }) {
  const { t } = useTranslation('admin');
  return (
    <Fold label={t('admin.accountingTerms.title')}>
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
