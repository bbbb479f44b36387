import type { AbuseScreen } from '#contract/admin/abuse.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Address } from '../show/address.tsx';
import { UserLink } from '../show/links.tsx';
import { Nothing } from '../show/nothing.tsx';
import { type Column, Records } from '../show/records.tsx';
import { useFormat } from '../show/use-format.ts';
import { When } from '../show/when.tsx';

/** Users near the limits of what is free. */
export function FreeMessageRecords({
  freeMessages: { users, unansweredLimit, unchargedLimit },
}: Pick<AbuseScreen, 'freeMessages'>) {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  const ofLimit = (count: number, limit: number) => (
    <span className={count >= limit ? 'text-warning' : undefined}>
      {t('admin.abuse.ofLimit', { count: whole(count), limit: whole(limit) })}
    </span>
  );
  return (
    <Records
      label={t('admin.abuse.freeMessages')}
      rows={users}
      keyOf={({ userId, viaApi }) => `${userId} ${viaApi}`}
      empty={t('admin.abuse.noFreeMessages')}
      columns={[
        useUserColumn(),
        {
          name: t('admin.failures.via'),
          kind: 'short',
          cell: ({ viaApi }) => t(viaApi ? 'admin.failures.api' : 'admin.failures.chat'),
        },
        {
          name: t('admin.abuse.unanswered'),
          kind: 'number',
          cell: ({ unanswered }) => ofLimit(unanswered, unansweredLimit),
        },
        {
          name: t('admin.abuse.uncharged'),
          kind: 'number',
          cell: ({ uncharged }) => ofLimit(uncharged, unchargedLimit),
        },
      ]}
    />
  );
}

/** Addresses at which passwords were tried. */
export function SignInRecords({ signIns }: Pick<AbuseScreen, 'signIns'>) {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  return (
    <Records
      label={t('admin.abuse.signIns')}
      rows={signIns}
      keyOf={({ address }) => address}
      empty={t('admin.abuse.noSignIns')}
      columns={[
        {
          name: t('admin.abuse.address'),
          cell: ({ address, userId }) =>
            userId === null ? <Address address={address} /> : <UserLink id={userId} email={address} />,
        },
        { name: t('admin.abuse.tries'), kind: 'number', cell: ({ tries }) => whole(tries) },
        { name: t('admin.abuse.since'), kind: 'short', cell: ({ since }) => <When at={since} /> },
        {
          name: t('admin.column.state'),
          kind: 'short',
          cell: ({ userId }) =>
            userId === null ? <span className="text-soft">{t('admin.abuse.noAccount')}</span> : null,
        },
      ]}
    />
  );
}

/** Users whose cards were declined. */
export function DeclineRecords({ declines }: Pick<AbuseScreen, 'declines'>) {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  return (
    <Records
      label={t('admin.abuse.declines')}
      rows={declines}
      keyOf={({ userId }) => userId}
      empty={t('admin.abuse.noDeclines')}
      columns={[
        useUserColumn(),
        { name: t('admin.abuse.declined'), kind: 'number', cell: ({ declined }) => whole(declined) },
        {
          name: t('admin.abuse.paidOrders'),
          kind: 'number',
          cell: ({ paid }) => (paid === 0 ? <Nothing /> : whole(paid)),
        },
        { name: t('admin.abuse.lastAt'), kind: 'short', cell: ({ lastAt }) => <When at={lastAt} /> },
      ]}
    />
  );
}

/** Users whose files grew. */
export function FileRecords({ files: users }: Pick<AbuseScreen, 'files'>) {
  const { t } = useTranslation('admin');
  const { whole, bytes: size } = useFormat();
  return (
    <Records
      label={t('admin.abuse.files')}
      rows={users}
      keyOf={({ userId }) => userId}
      empty={t('admin.abuse.noFiles')}
      columns={[
        useUserColumn(),
        { name: t('admin.abuse.newFiles'), kind: 'number', cell: ({ files }) => whole(files) },
        { name: t('admin.abuse.newBytes'), kind: 'number', cell: ({ bytes }) => size(bytes) },
        { name: t('admin.abuse.allBytes'), kind: 'number', cell: ({ total }) => size(total) },
      ]}
    />
  );
}

function useUserColumn(): Column<{ userId: string; email: string | null }> {
  const { t } = useTranslation('admin');
  return {
    name: t('admin.column.user'),
    cell: ({ userId, email }) => <UserLink id={userId} email={email} />,
  };
}
