import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { OneAtATime } from '#web/features/accounts/form/one-at-a-time.tsx';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { NeedsScript } from '../layout/needs-script.tsx';

interface AuthLayoutProps {
  title: string;
  /** For those who are signed in too. */
  always?: boolean;
  children: ReactNode;
}

/** The narrow column of the login and register pages; a user who is signed in already sees that. */
export function AuthLayout({ title, always = false, children }: AuthLayoutProps) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const session = useSession();
  return (
    <div className="page flex max-w-[26rem] flex-col gap-6 py-12 sm:py-20">
      <h1 className="headline text-3xl sm:text-4xl">{title}</h1>
      <NeedsScript />
      {session.state === 'signed-in' && !always ? (
        <>
          <p>{t('account.alreadySignedIn', { email: session.user.email })}</p>
          <Link to={pathTo('chat')} className={buttonStyle()}>
            {t('account.goToChat')}
          </Link>
        </>
      ) : (
        <OneAtATime>{children}</OneAtATime>
      )}
    </div>
  );
}
