import type { DisputesScreen as Disputes } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { ActButton } from '../acts/acts-provider.tsx';
import { UserLink } from '../show/links.tsx';
import { Pages } from '../show/pages.tsx';
import { Records } from '../show/records.tsx';
import { Screen } from '../show/screen.tsx';
import { ShortId } from '../show/short-id.tsx';
import { StateTag } from '../show/state-tag.tsx';
import { useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';

/** Charges that are disputed or refunded, and what of their credits was taken back. */
export function DisputesScreen() {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  const word = useWords();
  return (
    <Screen title={t('admin.screen.disputes')} lead={t('admin.disputes.lead')}>
      <Pages<Disputes> path="disputes" filter={{}}>
        {(pages) => (
          <Records
            label={t('admin.screen.disputes')}
            rows={pages.flatMap(({ losses }) => losses)}
            keyOf={({ userId, paymentKey }) => `${userId} ${paymentKey}`}
            empty={t('admin.disputes.none')}
            columns={[
              {
                name: t('admin.column.user'),
                cell: ({ userId, email }) => <UserLink id={userId} email={email} />,
              },
              { name: t('admin.column.charge'), cell: ({ paymentKey }) => <ShortId id={paymentKey} /> },
              {
                name: t('admin.column.why'),
                kind: 'short',
                cell: ({ reason }) => <StateTag state={reason} word={word('loss', reason)} />,
              },
              { name: t('admin.disputes.target'), kind: 'number', cell: ({ target }) => whole(target) },
              { name: t('admin.disputes.taken'), kind: 'number', cell: ({ taken }) => whole(taken) },
              {
                name: t('admin.disputes.missing'),
                kind: 'number',
                cell: ({ target, taken }) => whole(Math.max(0, target - taken)),
              },
              {
                name: t('admin.column.act'),
                kind: 'action',
                cell: ({ userId, email, paymentKey, isOpen }) =>
                  isOpen ? (
                    <ActButton
                      act={{ act: 'clear_dispute', userId, paymentKey }}
                      about={{ who: [email, paymentKey].filter(Boolean).join(' · ') }}
                      label={t('admin.disputes.clearNamed', { id: paymentKey })}
                    />
                  ) : null,
              },
            ]}
          />
        )}
      </Pages>
    </Screen>
  );
}
