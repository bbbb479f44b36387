import type { AbuseScreen, SignUpGroup } from '#contract/admin/abuse.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Address } from '../show/address.tsx';
import { UserLink } from '../show/links.tsx';
import { Nothing } from '../show/nothing.tsx';
import { type Column, Records } from '../show/records.tsx';
import { ShortId } from '../show/short-id.tsx';
import { useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';

/** Accounts that were opened from one network. */
export function NetworkRecords({ networks }: Pick<AbuseScreen, 'networks'>) {
  const { t } = useTranslation('admin');
  const columns = useGroupColumns();
  return (
    <Records
      label={t('admin.abuse.networks')}
      rows={networks}
      keyOf={({ hash }) => hash}
      empty={t('admin.abuse.noSignUps')}
      columns={[
        {
          name: t('admin.abuse.network'),
          kind: 'short',
          cell: ({ hash, name }) => (name === null ? <ShortId id={hash} /> : <span lang="zxx">{name}</span>),
        },
        ...columns,
      ]}
    />
  );
}

/** Accounts whose addresses have one domain. */
export function DomainRecords({ domains }: Pick<AbuseScreen, 'domains'>) {
  const { t } = useTranslation('admin');
  const columns = useGroupColumns();
  return (
    <Records
      label={t('admin.abuse.domains')}
      rows={domains}
      keyOf={({ domain }) => domain}
      empty={t('admin.abuse.noSignUps')}
      columns={[
        { name: t('admin.abuse.domain'), cell: ({ domain }) => <Address address={domain} /> },
        ...columns,
      ]}
    />
  );
}

/** What both lists say of accounts that have something in common. */
function useGroupColumns(): Column<SignUpGroup>[] {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  const word = useWords();
  const count = (name: string, of: (group: SignUpGroup) => number): Column<SignUpGroup> => ({
    name,
    kind: 'number',
    cell: (group) => (of(group) === 0 ? <Nothing /> : whole(of(group))),
  });
  return [
    count(t('admin.abuse.signUps'), ({ signUps }) => signUps),
    count(t('admin.abuse.verified'), ({ verified }) => verified),
    count(t('admin.abuse.given'), ({ given }) => given),
    {
      name: t('admin.abuse.withheld'),
      kind: 'number',
      cell: ({ withheld }) =>
        withheld === 0 ? <Nothing /> : <span className="text-warning">{whole(withheld)}</span>,
    },
    {
      name: t('admin.abuse.reasons'),
      cell: ({ reasons }) =>
        reasons.length === 0 ? null : (
          <span>
            {reasons.map((reason) => (
              <span key={reason} className="block">
                {word('withheld', reason)}
              </span>
            ))}
          </span>
        ),
    },
    {
      name: t('admin.abuse.newest'),
      cell: ({ newest }) => <UserLink id={newest.userId} email={newest.email} />,
    },
  ];
}
