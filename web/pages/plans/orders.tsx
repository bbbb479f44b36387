import { useParams } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { OwnPageHead } from '#web/lib/page-head.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { Spinner } from '#web/ui/button.tsx';
import { PageTitle } from '../layout/page-title.tsx';
import { RequireAuth } from './require-auth.tsx';

const loadList = () => import('#web/features/billing/orders/order-list.tsx');
const loadReceipt = () => import('#web/features/billing/orders/receipt.tsx');

export default function OrdersPage() {
  const { t } = useTranslation('common');
  const { orderId } = useParams();
  const session = useSession();
  const isList = orderId === undefined || session.state !== 'signed-in';
  return (
    <div className="page py-16 sm:py-20 print:py-0">
      {isList ? <OwnPageHead page="orders" /> : <OwnPageHead page="orders" title={t('page.order.title')} />}
      {isList ? <PageTitle title={t('orders.title')}>{t('orders.lead')}</PageTitle> : null}
      <RequireAuth text={t('orders.signedOutText')}>
        {(user) => <Orders orderId={orderId} user={user} />}
      </RequireAuth>
    </div>
  );
}

/** The list, or the order that the address names, which has a heading of its own. */
function Orders({ orderId, user }: { orderId: string | undefined; user: UserRecord }) {
  const list = useModule(orderId === undefined, loadList);
  const receipt = useModule(orderId !== undefined, loadReceipt);
  if (orderId === undefined) return list ? <list.OrderList /> : <Spinner />;
  return receipt ? <receipt.Receipt orderId={orderId} email={user.email} /> : <Spinner />;
}
