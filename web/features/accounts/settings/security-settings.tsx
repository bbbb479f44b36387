import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PasskeySettings } from '../passkeys/passkey-settings.tsx';
import { passkeysQuery, secondFactorQuery } from '../second-factor/second-factor-query.ts';
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
      <Part id="second-factor" title={t('twoFactor.title')} state={<SecondFactorMark />}>
        <SecondFactorSettings />
      </Part>
      <Part id="passkeys" title={t('passkeys.title')} state={<PasskeyCount />}>
        <PasskeySettings />
      </Part>
    </>
  );
}

/** Whether the second factor is on; nothing until that is known. */
function SecondFactorMark() {
  const { t } = useTranslation('common');
  const { data } = useQuery(secondFactorQuery);
  if (!data) return null;
  if (data.since === null) return <p className="text-soft text-sm">{t('twoFactor.off')}</p>;
  return <p className="text-sm text-success">{t('twoFactor.on')}</p>;
}

/** How many passkeys there are; nothing until that is known. */
function PasskeyCount() {
  const { t } = useTranslation('common');
  const { data } = useQuery(passkeysQuery);
  if (!data) return null;
  const count = data.length;
  return (
    <p className="text-soft text-sm">{t(count === 0 ? 'passkeys.none' : 'passkeys.count', { count })}</p>
  );
}
