import { useParams } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import { OrderList } from '#web/features/billing/order-list.tsx';
import { Receipt } from '#web/features/billing/receipt.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { OwnPageHead } from '#web/lib/page-head.tsx';
import { OwnThings } from './layout/own-things.tsx';
import { PageTitle } from './layout/page-title.tsx';

export default function OrdersPage() {
  const { t } = useTranslation('common');
  return (
    <div className="page py-16 sm:py-20 print:py-0">
      <OwnPageHead page="orders" />
      <div className="print:hidden">
        <PageTitle title={t('orders.title')}>{t('orders.lead')}</PageTitle>
      </div>
      <OwnThings text={t('orders.signedOutText')}>{(user) => <Orders user={user} />}</OwnThings>
    </div>
  );
}

/** The list, or the one that the address names. */
function Orders({ user }: { user: UserRecord }) {
  const { orderId } = useParams();
  return orderId ? <Receipt orderId={orderId} email={user.email} /> : <OrderList />;
}
