import { useQueryClient } from '@tanstack/react-query';
import { LockKeyhole } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
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
  const [done, setDone] = useState<TextKey | null>(null);
  const row = useFocusAlong(isOpen);
  useScrollToName('password');
  // What was just set is not in the list of ways to log in before that is read again.
  const has = isSet || done !== null;
  const reload = () => {
    void queryClient.invalidateQueries(sessionsQuery);
    void queryClient.invalidateQueries(signInsQuery);
  };
  const open = () => {
    setDone(null);
    setOpen(true);
  };
  const close = () => setOpen(false);
  const finish = () => {
    setDone(has ? 'profile.passwordChanged' : 'signIns.passwordSaved');
    close();
    reload();
  };
  return (
    <li ref={row} id="password" className="scroll-mt-24 py-3">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 items-center gap-3">
          <LockKeyhole aria-hidden size={20} strokeWidth={1.5} className="shrink-0 text-soft" />
          <div className="min-w-0">
            <p className="font-medium">{t('signIns.password')}</p>
            <p className="text-soft text-sm">{t(has ? 'signIns.passwordSet' : 'signIns.passwordMissing')}</p>
          </div>
        </div>
        {isOpen ? null : (
          <Button variant="secondary" onClick={open}>
            {t(has ? 'profile.changePassword' : 'signIns.setPassword')}
          </Button>
        )}
      </div>
      <p role="status" className="pl-8 text-soft text-sm">
        {done ? t(done) : ''}
      </p>
      {isOpen ? (
        <div className="mt-4 mb-2">
          <PasswordForm
            hasPassword={has}
            onDone={finish}
            onFoundSet={reload}
            onCancel={has ? close : undefined}
          />
        </div>
      ) : null}
    </li>
  );
}

/** Gives the focus to the first field of what opens in a row, and to the button that is there again once it closes. */
function useFocusAlong(isOpen: boolean) {
  const row = useRef<HTMLLIElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    row.current?.querySelector<HTMLElement>(isOpen ? 'input' : 'button')?.focus();
  }, [isOpen]);
  return row;
}
