import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { UserScreen as User } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { OrderRecords } from '../orders/order-records.tsx';
import { Address } from '../show/address.tsx';
import { screenQuery } from '../show/admin-query.ts';
import { AuditRecords } from '../show/audit-records.tsx';
import { Loaded, Part, Screen } from '../show/screen.tsx';
import { shortId } from '../show/short-id.tsx';
import { UserAccount } from './user-account.tsx';
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
            <UserAccount screen={screen} />
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
