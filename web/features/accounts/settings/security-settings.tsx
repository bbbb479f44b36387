import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Fold } from '#web/ui/text/fold.tsx';
import { PasskeySettings } from '../passkeys/passkey-settings.tsx';
import { SecondFactorSettings } from '../second-factor/second-factor-settings.tsx';
import { signInsQuery } from '../sign-in/sign-in-options.ts';
import { PasswordForm } from './password-form.tsx';
import { sessionsQuery } from './session-list.tsx';
import { Part } from './settings-part.tsx';
import { SignInList } from './sign-in-list.tsx';

/** The ways to sign in. A password is changed where its reader asks for it; the first one is set at once. */
export function SecuritySettings() {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const { hash } = useLocation();
  const { data } = useQuery(signInsQuery);
  const [isUnfolded, setUnfolded] = useState(hash === '#password');
  const hasPassword = data === undefined || data.signIns.some(({ provider }) => provider === 'password');
  if (!hasPassword && !isUnfolded) setUnfolded(true);
  const reload = () => {
    void queryClient.invalidateQueries(sessionsQuery);
    void queryClient.invalidateQueries(signInsQuery);
  };
  return (
    <>
      <Part id="sign-ins" title={t('signIns.title')}>
        <SignInList />
      </Part>
      <Part id="password" title={t(hasPassword ? 'profile.passwordTitle' : 'signIns.setPasswordTitle')}>
        <Fold
          label={t(hasPassword ? 'profile.changePassword' : 'signIns.setPassword')}
          open={isUnfolded}
          className="flex flex-col gap-3"
        >
          <PasswordForm hasPassword={hasPassword} onChanged={reload} />
        </Fold>
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
