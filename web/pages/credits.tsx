import { Statement } from '#web/features/credits/statement.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { OwnPageHead } from '#web/lib/page-head.tsx';
import { OwnThings } from './layout/own-things.tsx';
import { PageTitle } from './layout/page-title.tsx';

export default function CreditsPage() {
  const { t } = useTranslation('common');
  return (
    <div className="page py-16 sm:py-20">
      <OwnPageHead page="credits" />
      <PageTitle title={t('statement.title')}>{t('statement.lead')}</PageTitle>
      <OwnThings text={t('statement.signedOutText')}>{() => <Statement headed={false} />}</OwnThings>
    </div>
  );
}
