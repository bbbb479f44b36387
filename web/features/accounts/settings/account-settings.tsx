import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { UserRecord } from '#contract/accounts.ts';
import type { DeletionState } from '#contract/personal-data.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { EmailSettings } from '../email/email-settings.tsx';
import { NameForm } from '../profile/name-form.tsx';
import { PictureForm } from '../profile/picture-form.tsx';
import { signInsQuery } from '../sign-in/sign-in-options.ts';
import { Appearance } from './appearance.tsx';
import { DataExport } from './data-export.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecuritySettings } from './security-settings.tsx';
import { sessionsQuery } from './session-list.tsx';
import { Part } from './settings-part.tsx';

/** What a user changes of the account: name, password, where it is signed in. */
export function AccountSettings({
  user,
  onDeletion,
}: {
  user: UserRecord;
  onDeletion: (state: DeletionState | 'leaving' | null) => void;
}) {
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
      <Part id="picture" title={t('picture.title')}>
        <PictureForm user={user} />
      </Part>
      <Part id="name" title={t('profile.nameTitle')}>
        <NameForm user={user} />
      </Part>
      <Part id="look" title={t('look.title')}>
        <Appearance />
      </Part>
      <Part id="email" title={t('email.title')}>
        <EmailSettings />
      </Part>
      <Part id="password" title={t(hasPassword ? 'profile.passwordTitle' : 'signIns.setPasswordTitle')}>
        <PasswordForm hasPassword={hasPassword} onChanged={reload} />
      </Part>
      <SecuritySettings />
      <Part id="data" title={t('takeout.title')}>
        <DataExport />
      </Part>
      <Part id="leaving" title={t('leaving.title')}>
        <DeleteAccount user={user} onDeletion={onDeletion} />
      </Part>
    </>
  );
}
