import { facts } from 'virtual:site';
import { Link } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import { AccountButton } from '#web/features/accounts/menu/account-button.tsx';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { CreditBalance } from '#web/features/credits/credit-balance.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { useMenuModule } from '#web/lib/use-module.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';

const loadMenu = () => import('#web/features/accounts/menu/account-menu.tsx');

/** The right end of the header: the way in, or the balance and the account menu. */
export function HeaderAccount() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const session = useSession();
  if (session.state === 'signed-in') {
    return (
      <div className="flex items-center gap-1">
        <BalanceLink credits={session.user.credits} />
        <AccountMenu user={session.user} />
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

/** The balance, which leads to the subscription, or to the plans once it does not pay for a message. */
export function BalanceLink({ credits }: { credits: number }) {
  const pathTo = useLocalPath();
  return (
    <Link
      to={pathTo(credits < facts.defaultCost ? 'pricing' : 'subscription')}
      className="flex min-h-11 items-center rounded-control px-1 hover:bg-sunken sm:px-2"
    >
      <CreditBalance credits={credits} />
    </Link>
  );
}

/** The account menu; what is in it comes with the first press. */
export function AccountMenu({ user }: { user: UserRecord }) {
  const { menu, openAtOnce, button } = useMenuModule(loadMenu);
  return menu ? (
    <menu.AccountMenu user={user} openAtOnce={openAtOnce} />
  ) : (
    <AccountButton user={user} {...button} />
  );
}
