import { Link, useMatch } from 'react-router';
import { isSessionExpected, useSession } from '#web/features/accounts/session/use-session.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { preloadModule, useModule } from '#web/lib/use-module.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';

const loadAccount = () => import('./signed-in-account.tsx');

if (globalThis.window && isSessionExpected()) void preloadModule(loadAccount);

/** The right end of the header: the way in (on a phone one link, which leads elsewhere), or the balance and the account menu, whose code only those who are signed in load. */
export function HeaderAccount() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const session = useSession();
  const isRegistering = useMatch(pathTo('register')) !== null;
  const account = useModule(session.state === 'signed-in', loadAccount);
  if (session.state === 'signed-in' && account) {
    return (
      <div className="flex items-center gap-1">
        <account.BalanceLink credits={session.user.credits} />
        <account.AccountMenu user={session.user} />
      </div>
    );
  }
  return (
    <div
      className={classNames(
        'flex items-center gap-2',
        session.state === 'loading' && 'until-session-known',
        session.state === 'signed-in' && 'invisible',
      )}
    >
      <Link
        to={pathTo('login')}
        className={classNames(buttonStyle('quiet', 'small'), !isRegistering && 'max-nav:hidden')}
      >
        {t('nav.login')}
      </Link>
      <Link
        to={pathTo('register')}
        className={classNames(buttonStyle('secondary', 'small'), isRegistering && 'max-nav:hidden')}
      >
        {t('nav.register')}
      </Link>
    </div>
  );
}
