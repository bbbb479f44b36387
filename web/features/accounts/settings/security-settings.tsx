import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PasskeySettings } from '../passkeys/passkey-settings.tsx';
import { SecondFactorSettings } from '../second-factor/second-factor-settings.tsx';
import { signInsQuery } from '../sign-in/sign-in-options.ts';
import { PasswordForm } from './password-form.tsx';
import { sessionsQuery } from './session-list.tsx';
import { Part } from './settings-part.tsx';
import { SignInList } from './sign-in-list.tsx';

/** The ways to sign in. */
export function SecuritySettings() {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const { data } = useQuery(signInsQuery);
  const hasPassword = data === undefined || data.signIns.some(({ provider }) => provider === 'password');
  const reload = () => {
    void queryClient.invalidateQueries(sessionsQuery);
    void queryClient.invalidateQueries(signInsQuery);
  };
  return (
    <>
      <Part id="password" title={t(hasPassword ? 'profile.passwordTitle' : 'signIns.setPasswordTitle')}>
        <PasswordForm hasPassword={hasPassword} onChanged={reload} />
      </Part>
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
