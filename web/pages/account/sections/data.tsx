import { DataExport } from '#web/features/accounts/settings/data-export.tsx';
import { DeleteAccount } from '#web/features/accounts/settings/delete-account.tsx';
import { Part } from '#web/features/accounts/settings/settings-part.tsx';
import { StorageUsage } from '#web/features/chat/files/storage-usage.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { AccountSection } from '../account-section.tsx';

/** Takes everything along, or has it deleted. */
export default function DataSection() {
  const { t } = useTranslation('common');
  return (
    <AccountSection page="profile/data">
      {(user, { onDeletion }) => (
        <>
          <Part id="files" title={t('files.usageTitle')}>
            <StorageUsage />
          </Part>
          <Part id="data" title={t('takeout.title')}>
            <DataExport />
          </Part>
          <Part id="leaving" title={t('leaving.title')}>
            <DeleteAccount user={user} onDeletion={onDeletion} />
          </Part>
        </>
      )}
    </AccountSection>
  );
}
