import type { UserScreen } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { ActButton } from '../acts/acts-provider.tsx';
import { AccountingTerms } from '../ledger/accounting-terms.tsx';
import { type Column, Records } from '../show/records.tsx';
import { Part } from '../show/screen.tsx';
import { ShortId } from '../show/short-id.tsx';
import { useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';
import { When } from '../show/when.tsx';

type Credits = UserScreen['credits'];

/** What the user can spend, what it is made of, and how it came about. */
export function UserCredits({ screen: { user, credits } }: { screen: UserScreen }) {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  const about = { who: user.email };
  return (
    <Part
      title={t('admin.user.credits')}
      actions={
        user.deletedAt === null ? (
          <>
            {user.isLeaving ? null : <ActButton act={{ act: 'grant', userId: user.id }} about={about} />}
            <ActButton act={{ act: 'take', userId: user.id }} about={about} />
          </>
        ) : null
      }
    >
      <p>
        <span className="font-medium text-2xl tabular-nums">{whole(credits.balance)}</span>{' '}
        <span className="text-soft">{t('admin.user.spendable')}</span>
      </p>
      <h3 className="mt-4 font-medium">{t('admin.user.buckets')}</h3>
      <Buckets buckets={credits.buckets} />
      <h3 className="mt-4 font-medium">{t('admin.user.entries')}</h3>
      <Entries entries={credits.entries} />
      <AccountingTerms of="ledger" />
    </Part>
  );
}

function Buckets({ buckets }: { buckets: Credits['buckets'] }) {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  const word = useWords();
  const places = ['amount', 'available', 'held', 'spent', 'expired', 'revoked'] as const;
  const numbers = places.map(
    (place): Column<Credits['buckets'][number]> => ({
      name: t(`admin.bucket.${place}`),
      kind: 'number',
      cell: (bucket) => (
        <span className={bucket[place] === 0 ? 'is-nothing text-soft' : undefined}>
          {whole(bucket[place])}
        </span>
      ),
    }),
  );
  return (
    <Records
      label={t('admin.user.buckets')}
      rows={buckets}
      keyOf={({ id }) => id}
      empty={t('admin.user.noBuckets')}
      columns={[
        { name: t('admin.column.kind'), kind: 'short', cell: ({ kind }) => word('bucketKind', kind) },
        { name: t('admin.column.source'), cell: ({ source }) => <Source source={source} /> },
        ...numbers,
        { name: t('admin.column.endsAt'), kind: 'short', cell: ({ endsAt }) => <When at={endsAt} /> },
      ]}
    />
  );
}

/** What brought Credits: a month of the account, or a charge. */
function Source({ source }: { source: string }) {
  const { t } = useTranslation('admin');
  const [, month] = /^free:(\d+)$/.exec(source) ?? [];
  if (month === undefined) return <ShortId id={source} />;
  return t('admin.user.freeMonth', { n: Number(month) + 1 });
}

function Entries({ entries }: { entries: Credits['entries'] }) {
  const { t } = useTranslation('admin');
  const { whole, change } = useFormat();
  const word = useWords();
  return (
    <Records
      label={t('admin.user.entries')}
      rows={entries}
      keyOf={({ at, kind, amount, balanceAfter, reason }) =>
        [at, kind, amount, balanceAfter, reason].join(' ')
      }
      empty={t('admin.user.noEntries')}
      columns={[
        { name: t('admin.column.time'), kind: 'short', cell: ({ at }) => <When at={at} /> },
        { name: t('admin.column.kind'), kind: 'short', cell: ({ kind }) => word('entryKind', kind) },
        { name: t('admin.column.why'), cell: ({ reason }) => word('entryReason', reason) },
        { name: t('admin.column.change'), kind: 'number', cell: ({ amount }) => change(amount) },
        {
          name: t('admin.column.balanceAfter'),
          kind: 'number',
          cell: ({ balanceAfter }) => whole(balanceAfter),
        },
      ]}
    />
  );
}
