import type { AuditLine } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Address } from './address.tsx';
import { UserLink } from './links.tsx';
import { Nothing } from './nothing.tsx';
import { plainDetails } from './plain-details.ts';
import { type Column, Records } from './records.tsx';
import { useFormat } from './use-format.ts';
import { useWords } from './use-words.ts';
import { When } from './when.tsx';

interface AuditRecordsProps {
  lines: readonly AuditLine[];
  empty: string;
  /** Left out where all are about one user. */
  hasUser: boolean;
}

/** What operators did, and why. */
export function AuditRecords({ lines, empty, hasUser }: AuditRecordsProps) {
  const { t } = useTranslation('admin');
  const word = useWords();
  const user: Column<AuditLine> = {
    name: t('admin.column.about'),
    cell: ({ userId, subject }) =>
      userId ? <UserLink id={userId} {...(subject?.includes('@') ? { email: subject } : {})} /> : subject,
  };
  return (
    <Records
      label={t('admin.screen.audit')}
      rows={lines}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        { name: t('admin.column.time'), kind: 'short', cell: ({ at }) => <When at={at} /> },
        {
          name: t('admin.column.actor'),
          cell: ({ actor, viaCommandLine }) => (
            <>
              <Address address={actor} />
              {viaCommandLine ? (
                <span className="block text-soft text-sm">{t('admin.audit.viaCommandLine')}</span>
              ) : null}
            </>
          ),
        },
        { name: t('admin.column.act'), kind: 'short', cell: ({ act }) => word('act', act) },
        ...(hasUser ? [user] : []),
        { name: t('admin.column.reason'), cell: ({ reason }) => reason },
        { name: t('admin.column.detail'), cell: (line) => <Details line={line} /> },
      ]}
    />
  );
}

/** What the act moved, and on what. */
function Details({ line: { act, subject, userId, details } }: { line: AuditLine }) {
  const { t } = useTranslation('admin');
  const { whole, change } = useFormat();
  const word = useWords();
  const isOther = subject !== null && userId !== null && !subject.includes('@');
  const valueText = (name: string, value: string | number) => {
    if (typeof value === 'string') return name === 'proposed' ? word('act', value) : value;
    return name === 'credits' ? change(value) : whole(value);
  };
  const parts = [
    ...(isOther ? [subject] : []),
    ...plainDetails(act, details).map(([name, value]) =>
      t('admin.detail', {
        name: word('detail', name),
        value: valueText(name, value),
      }),
    ),
  ];
  if (parts.length === 0) return <Nothing />;
  return (
    <span>
      {parts.map((text) => (
        <span key={text} className="block break-words">
          <Address address={text} />
        </span>
      ))}
    </span>
  );
}
