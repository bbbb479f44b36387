import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button, Spinner } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { receiptQuery } from './order-query.ts';
import { ReceiptPaper } from './receipt-paper.tsx';

/** The receipt of an order, or why there is none. `email` is its buyer's. */
export function Receipt({ orderId, email }: { orderId: string; email: string }) {
  const { t } = useTranslation('common');
  const query = useQuery({
    ...receiptQuery(orderId),
    retry: (count, error) => count < 2 && !isMissing(error),
  });
  if (query.data) return <ReceiptPaper receipt={query.data} email={email} />;
  if (query.isPending) return <Spinner />;
  if (isMissing(query.error)) return <Missing />;
  return (
    <div role="alert" className="flex flex-col items-start gap-3">
      <p>{t('orders.loadFailed')}</p>
      <Button variant="secondary" onClick={() => void query.refetch()}>
        {t('orders.retry')}
      </Button>
    </div>
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_request');
}

function Missing() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <div className="flex flex-col items-start gap-4">
      <h1 className="headline text-4xl">{t('orders.missingTitle')}</h1>
      <p className="text-soft">{t('orders.missingText')}</p>
      <Link to={pathTo('orders')} className={buttonStyle()}>
        {t('orders.back')}
      </Link>
    </div>
  );
}
