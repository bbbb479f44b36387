import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { EmailText } from './layout/email-text.tsx';
import { PageTitle } from './layout/page-title.tsx';

export default function ApiPage() {
  const { t } = useTranslation('common');
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="api" />
      <PageTitle title={t('api.title')}>{t('api.lead')}</PageTitle>
      <div className="flex max-w-prose flex-col gap-4">
        <p>{t('api.text')}</p>
        <p>
          <EmailText text="api.contact" />
        </p>
      </div>
    </div>
  );
}
