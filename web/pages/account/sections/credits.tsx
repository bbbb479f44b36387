import { useTranslation } from '#web/lib/i18n.tsx';
import { OwnPageHead } from '#web/lib/page-head.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { Spinner } from '#web/ui/button.tsx';
import { BillingRecords } from '../account-section.tsx';

const loadStatement = () => import('#web/features/credits/statement.tsx');

export default function CreditsPage() {
  const { t } = useTranslation('common');
  return (
    <BillingRecords
      head={<OwnPageHead page="credits" />}
      title={t('statement.title')}
      lead={t('statement.lead')}
      signedOutText={t('statement.signedOutText')}
    >
      {() => <LoadedStatement />}
    </BillingRecords>
  );
}

function LoadedStatement() {
  const loaded = useModule(true, loadStatement);
  return loaded ? <loaded.Statement /> : <Spinner />;
}
