import { Link } from 'react-router';
import { orderNumber } from '#contract/order-rules.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Address } from './address.tsx';
import { shortId } from './short-id.tsx';

const LINK = 'underline underline-offset-4 hover:decoration-2';

/** Leads to a user's screen; by the address where it is known. */
export function UserLink({ id, email }: { id: string; email?: string | null }) {
  const { t } = useTranslation('admin');
  const isDeleted = email === null;
  return (
    <Link to={`/admin/users/${id}`} className={LINK}>
      {email ? (
        <Address address={email} />
      ) : isDeleted ? (
        t('admin.deletedUser', { id: shortId(id) })
      ) : (
        <Id id={id} />
      )}
    </Link>
  );
}

/** Leads to an order's screen, by the number that its buyer sees. */
export function OrderLink({ id }: { id: string }) {
  return (
    <Link
      to={`/admin/orders/${id}`}
      lang="zxx"
      className={`${LINK} whitespace-nowrap font-mono text-[0.8125rem]`}
    >
      {orderNumber({ id })}
    </Link>
  );
}

/** Its dots are not Chinese ones. */
function Id({ id }: { id: string }) {
  return (
    <span lang="zxx" className="font-mono text-[0.8125rem]">
      {shortId(id)}
    </span>
  );
}
