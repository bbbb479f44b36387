import { Link } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import { AccountButton } from '#web/features/accounts/menu/account-button.tsx';
import { usePrices } from '#web/features/catalogue/use-prices.ts';
import { CreditBalance } from '#web/features/credits/credit-balance.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { useMenuModule } from '#web/ui/loading/use-menu-module.ts';

const loadMenu = () => import('#web/features/accounts/menu/account-menu.tsx');

/** The balance, which leads to the subscription, or to the plans once it does not pay for a message. */
export function BalanceLink({ credits }: { credits: number }) {
  const pathTo = useLocalPath();
  const { defaultCost } = usePrices();
  return (
    <Link
      to={pathTo(credits < defaultCost ? 'pricing' : 'subscription')}
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
