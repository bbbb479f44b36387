import { useTranslation } from '#web/lib/i18n.tsx';
import { OwnPageHead } from '#web/lib/page-head.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { Spinner } from '#web/ui/button.tsx';
import { PageTitle } from '../layout/page-title.tsx';
import { RequireAuth } from './require-auth.tsx';

const loadStatement = () => import('#web/features/credits/statement.tsx');

export default function CreditsPage() {
  const { t } = useTranslation('common');
  return (
    <div className="page py-16 sm:py-20">
      <OwnPageHead page="credits" />
      <PageTitle title={t('statement.title')}>{t('statement.lead')}</PageTitle>
      <RequireAuth text={t('statement.signedOutText')}>{() => <LoadedStatement />}</RequireAuth>
    </div>
  );
}

function LoadedStatement() {
  const loaded = useModule(true, loadStatement);
  return loaded ? <loaded.Statement /> : <Spinner />;
}
