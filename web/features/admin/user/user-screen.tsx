import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { UserScreen as User } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { ActButton } from '../acts/acts-provider.tsx';
import { Address } from '../show/address.tsx';
import { screenQuery } from '../show/admin-query.ts';
import { AuditRecords } from '../show/audit-records.tsx';
import { Facts } from '../show/facts.tsx';
import { OrderRecords } from '../show/order-records.tsx';
import { Loaded, Part, Screen } from '../show/screen.tsx';
import { ShortId, shortId } from '../show/short-id.tsx';
import { useFormat } from '../show/use-format.ts';
import { When } from '../show/when.tsx';
import { UserCredits } from './user-credits.tsx';
import { UserPayments } from './user-payments.tsx';

/** All that an operator sees of one user: nothing of it is what they wrote. */
export function UserScreen({ userId }: { userId: string }) {
  const { t } = useTranslation('admin');
  const query = useQuery(screenQuery<User>(`users/${userId}`));
  const user = query.data?.user;
  return (
    <Screen
      title={user ? (user.email ?? t('admin.deletedUser', { id: shortId(user.id) })) : t('admin.column.user')}
      heading={user?.email ? <Address address={user.email} /> : undefined}
      lead={user ? <bdi>{user.name}</bdi> : undefined}
    >
      <Loaded query={query}>
        {(screen) => (
          <>
            <Account screen={screen} />
            <UserCredits screen={screen} />
            <UserPayments screen={screen} />
            <Part title={t('admin.screen.orders')}>
              <OrderRecords hasUser={false} orders={screen.orders} empty={t('admin.user.noOrders')} />
            </Part>
            <Part
              title={t('admin.user.audit')}
              actions={
                screen.audit.length > 0 ? (
                  <Link to={`/admin/audit?userId=${userId}`} className="underline underline-offset-4">
                    {t('admin.user.wholeAudit')}
                  </Link>
                ) : null
              }
            >
              <AuditRecords hasUser={false} lines={screen.audit} empty={t('admin.user.noAudit')} />
            </Part>
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function Account({ screen: { user, sessions } }: { screen: User }) {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  return (
    <Part
      title={t('admin.user.account')}
      actions={
        user.deletedAt === null && sessions > 0 ? (
          <ActButton act={{ act: 'sign_out', userId: user.id }} about={{ who: user.email }} />
        ) : null
      }
    >
      <Facts
        items={[
          [t('admin.column.id'), <ShortId key="id" id={user.id} />],
          [
            t('admin.user.verified'),
            t(user.emailVerified ? 'admin.user.isVerified' : 'admin.user.isUnverified'),
          ],
          [t('admin.column.opened'), <When key="opened" at={user.createdAt} />],
          [t('admin.column.lastSignIn'), <When key="signed" at={user.lastSignInAt} />],
          [t('admin.user.sessions'), whole(sessions)],
          [
            t('admin.user.leavingAt'),
            user.leavingAt === null ? null : <When key="leaving" at={user.leavingAt} />,
          ],
          [
            t('admin.user.deletedAt'),
            user.deletedAt === null ? null : <When key="deleted" at={user.deletedAt} />,
          ],
        ]}
      />
    </Part>
  );
}
