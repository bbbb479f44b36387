import { useOutletContext, useParams } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { OwnPageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { useModule } from '#web/lib/use-module.ts';
import { Spinner } from '#web/ui/button.tsx';
import { type AccountContext, BillingRecords } from '../account-section.tsx';

const loadList = () => import('#web/features/billing/orders/order-list.tsx');
const loadReceipt = () => import('#web/features/billing/orders/receipt.tsx');

export default function OrdersPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { orderId } = useParams();
  const { user } = useOutletContext<AccountContext>();
  const isOne = orderId !== undefined && user !== null;
  return (
    <BillingRecords
      head={<OwnPageHead page="orders" {...(isOne ? { title: t('page.order.title') } : {})} />}
      title={isOne ? null : t('orders.title')}
      lead={t('orders.lead')}
      signedOutText={t('orders.signedOutText')}
      {...(isOne ? { back: { to: pathTo('orders'), label: t('orders.title') } } : {})}
    >
      {(known) => <Orders orderId={orderId} user={known} />}
    </BillingRecords>
  );
}

/** The list, or the order that the address names, which has a heading of its own. */
function Orders({ orderId, user }: { orderId: string | undefined; user: UserRecord }) {
  const list = useModule(orderId === undefined, loadList);
  const receipt = useModule(orderId !== undefined, loadReceipt);
  if (orderId === undefined) return list ? <list.OrderList /> : <Spinner />;
  return receipt ? <receipt.Receipt orderId={orderId} email={user.email} /> : <Spinner />;
}
