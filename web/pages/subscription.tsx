import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';

export default function SubscriptionPage() {
  const { t } = useTranslation('common');
  return (
    <div className="page py-16">
      <PageHead page="subscription" />
      <h1 className="headline text-4xl">{t('page.subscription.title')}</h1>
    </div>
  );
}
