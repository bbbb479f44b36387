import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { signInsQuery } from '../sign-in/sign-in-options.ts';
import { PasswordForm } from './password-form.tsx';
import { sessionsQuery } from './session-list.tsx';
import { useScrollToName } from './settings-part.tsx';

/** The password among the ways to log in. It is changed where its reader asks for it; the first one is set at once. */
export function PasswordRow({ isSet }: { isSet: boolean }) {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const { hash } = useLocation();
  const [isOpen, setOpen] = useState(!isSet || hash === '#password');
  useScrollToName('password');
  const reload = () => {
    void queryClient.invalidateQueries(sessionsQuery);
    void queryClient.invalidateQueries(signInsQuery);
  };
  return (
    <li id="password" className="scroll-mt-24 py-3">
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <p className="font-medium">{t('signIns.password')}</p>
          <p className="text-soft text-sm">{t(isSet ? 'signIns.passwordSet' : 'signIns.passwordMissing')}</p>
        </div>
        {isSet ? (
          <Button variant="secondary" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t(isOpen ? 'dialog.cancel' : 'profile.changePassword')}
          </Button>
        ) : null}
      </div>
      {isOpen ? (
        <div className="mt-4 mb-2">
          <PasswordForm hasPassword={isSet} onChanged={reload} />
        </div>
      ) : null}
    </li>
  );
}
