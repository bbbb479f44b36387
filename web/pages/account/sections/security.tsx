import { SecuritySettings } from '#web/features/accounts/settings/security-settings.tsx';
import { AccountSection } from '../account-section.tsx';

/** The ways to sign in. */
export default function SecuritySection() {
  return <AccountSection page="profile/security">{() => <SecuritySettings />}</AccountSection>;
}
