import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { UserRecord } from '#contract/accounts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { NameForm } from './name-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { SessionList, sessionsQuery } from './session-list.tsx';

/** What a user changes of the account: name, password, where it is signed in. */
export function AccountSettings({ user }: { user: UserRecord }) {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  return (
    <>
      <Part id="name" title={t('profile.nameTitle')}>
        <NameForm user={user} />
      </Part>
      <Part id="password" title={t('profile.passwordTitle')}>
        <PasswordForm onChanged={() => void queryClient.invalidateQueries(sessionsQuery)} />
      </Part>
      <Part id="sessions" title={t('profile.sessionsTitle')}>
        <SessionList />
      </Part>
    </>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-14">
      <h2 id={id} className="headline mb-5 text-2xl">
        {title}
      </h2>
      {children}
    </section>
  );
}
