import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { wantsRememberMe } from './remember-me.ts';
import { useAfterSignIn } from './use-after-sign-in.ts';

/** Signs in with a passkey alone. Its place is kept until the browser says whether it can. */
export function SignInByPasskey() {
  const { t } = useTranslation('common');
  const goOn = useAfterSignIn();
  return (
    <div className="min-h-11">
      <PasskeyButton
        label={t('account.loginPasskey')}
        optionsPath="/api/auth/passkey/options"
        onAnswer={async (passkey) => {
          await callApi('/api/auth/passkey', {
            method: 'POST',
            body: { passkey, rememberMe: wantsRememberMe() },
          });
          await goOn();
        }}
      />
    </div>
  );
}
