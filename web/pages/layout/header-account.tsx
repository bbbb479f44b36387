import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { AccountButton } from '#web/features/accounts/account-button.tsx';
import { useSession } from '#web/features/accounts/use-session.ts';
import { CreditBalance } from '#web/features/credits/credit-balance.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';

const AccountMenu = lazy(async () => {
  const { AccountMenu } = await import('#web/features/accounts/account-menu.tsx');
  return { default: AccountMenu };
});

/** The right end of the header: the way in, or the balance and the account menu. */
export function HeaderAccount() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const session = useSession();
  if (session.state === 'signed-in') {
    return (
      <div className="flex items-center gap-1">
        <Link
          to={pathTo('subscription')}
          className="flex min-h-11 items-center rounded-control px-2 hover:bg-sunken"
        >
          <CreditBalance credits={session.user.credits} />
        </Link>
        <Suspense fallback={<AccountButton user={session.user} />}>
          <AccountMenu user={session.user} />
        </Suspense>
      </div>
    );
  }
  return (
    <div
      className={classNames('flex items-center gap-2', session.state === 'loading' && 'until-session-known')}
    >
      <Link to={pathTo('login')} className={classNames(buttonStyle('quiet', 'small'), 'max-nav:hidden')}>
        {t('nav.login')}
      </Link>
      <Link to={pathTo('register')} className={buttonStyle('secondary', 'small')}>
        {t('nav.register')}
      </Link>
    </div>
  );
}
