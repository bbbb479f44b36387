import { SessionList } from '#web/features/accounts/settings/session-list.tsx';
import { Part } from '#web/features/accounts/settings/settings-part.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { AccountSection } from '../account-section.tsx';

/** Where the user is signed in. */
export default function DevicesSection() {
  const { t } = useTranslation('common');
  return (
    <AccountSection page="profile/devices">
      {() => (
        <Part id="sessions" title={t('profile.sessionsTitle')}>
          <SessionList />
        </Part>
      )}
    </AccountSection>
  );
}
