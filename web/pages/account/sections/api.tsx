import { Link } from 'react-router';
import { useConfirmation } from '#web/features/accounts/confirmation/use-confirmation.tsx';
import { KeyManager } from '#web/features/openai-api/key-manager.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { AccountSection } from '../account-section.tsx';

/** The keys of the user's own programs. */
export default function ApiSection() {
  return <AccountSection page="profile/api">{() => <Keys />}</AccountSection>;
}

function Keys() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { confirmed, dialog } = useConfirmation();
  return (
    <div className="mt-8 border-line border-t pt-8">
      <KeyManager confirmed={confirmed} isPart />
      <Link to={pathTo('api')} className={buttonStyle('secondary')}>
        {t('accountPages.apiDocs')}
      </Link>
      {dialog}
    </div>
  );
}
