import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';

export default function PrivacyPage() {
  const { t } = useTranslation('common');
  return (
    <div className="page py-16">
      <PageHead page="privacy" />
      <h1 className="headline text-4xl">{t('page.privacy.title')}</h1>
    </div>
  );
}
