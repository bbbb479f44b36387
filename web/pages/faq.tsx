import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';

export default function FaqPage() {
  const { t } = useTranslation('common');
  return (
    <div className="page py-16">
      <PageHead page="faq" />
      <h1 className="headline text-4xl">{t('page.faq.title')}</h1>
    </div>
  );
}
