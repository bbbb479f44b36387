import { useTranslation } from '#web/lib/i18n.tsx';
import { PasskeySettings } from '../passkeys/passkey-settings.tsx';
import { SecondFactorSettings } from '../second-factor/second-factor-settings.tsx';
import { Part } from './settings-part.tsx';
import { SignInList } from './sign-in-list.tsx';

/** The ways to sign in, and what protects them. */
export function SecuritySettings() {
  const { t } = useTranslation('common');
  return (
    <>
      <Part id="sign-ins" title={t('signIns.title')}>
        <SignInList />
      </Part>
      <Part id="second-factor" title={t('twoFactor.title')}>
        <SecondFactorSettings />
      </Part>
      <Part id="passkeys" title={t('passkeys.title')}>
        <PasskeySettings />
      </Part>
    </>
  );
}
