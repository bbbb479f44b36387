import {
  ChevronRight,
  Coins,
  CreditCard,
  Download,
  KeyRound,
  LogOut,
  MonitorSmartphone,
  ShieldCheck,
  UserRound,
} from 'lucide-react';
import { Link, useLocation } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import { Avatar } from '#web/features/accounts/profile/avatar.tsx';
import { useSignOut } from '#web/features/accounts/session/sign-out.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { ACCOUNT_PAGES, type AccountPage, OWN_PAGES } from '#web/lib/pages.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { classNames } from '#web/ui/class-names.ts';

const ICON = {
  'profile/details': UserRound,
  'profile/security': ShieldCheck,
  'profile/devices': MonitorSmartphone,
  'profile/billing': CreditCard,
  'profile/data': Download,
  'profile/api': KeyRound,
} as const satisfies Record<AccountPage, typeof UserRound>;

/** Pages outside of the account that belong to its billing. */
const BILLING_PAGES = [...OWN_PAGES, 'subscription'] as const;

const ITEM =
  'flex min-h-12 w-full items-center gap-3 px-1 text-left lg:min-h-11 lg:rounded-control lg:px-3 lg:hover:bg-sunken';

/** Whose account it is, and its sections: at the side, on a phone a page of its own with the balance. */
export function SectionList({ user }: { user: UserRecord }) {
  const { t } = useTranslation('common');
  const signOut = useSignOut();
  const { pathname } = useLocation();
  const isIndex = /^\/profile\/?$/.test(pathname);
  return (
    <div
      className={classNames(
        'min-w-0 self-start lg:sticky lg:top-24 print:hidden',
        !isIndex && 'max-lg:hidden',
      )}
    >
      {isIndex ? <h1 className="headline mb-6 text-4xl lg:hidden">{t('accountPages.index')}</h1> : null}
      <div className="mb-4 flex items-center gap-3 lg:px-3">
        <Avatar photoURL={user.photoURL} name={user.displayName || user.email} size={40} />
        <div className="min-w-0">
          <p className="truncate font-medium">{user.displayName || user.email}</p>
          <p className="truncate text-soft text-sm">{user.email}</p>
        </div>
      </div>
      <nav aria-label={t('accountPages.label')}>
        <ul className="max-lg:divide-y max-lg:divide-line max-lg:border-line max-lg:border-y">
          <BalanceRow credits={user.credits} />
          {ACCOUNT_PAGES.map((page) => (
            <li key={page}>
              <Link
                to={`/${page}`}
                aria-current={currentOf(page, pathname)}
                className={`${ITEM} aria-[current]:font-medium lg:aria-[current]:bg-selected`}
              >
                <Icon page={page} />
                <span className="mr-auto">{t(`accountPages.${page}`)}</span>
                <RowArrow />
              </Link>
            </li>
          ))}
        </ul>
        <div className="mt-6 border-line max-lg:border-y lg:mt-3 lg:border-t lg:pt-3">
          <button type="button" className={ITEM} onClick={() => void signOut()}>
            <LogOut aria-hidden size={18} strokeWidth={1.5} className="text-soft" />
            {t('profile.logout')}
          </button>
        </div>
      </nav>
    </div>
  );
}

/** How the index marks a section: as the page that the path names, or as what an order, the statement or the plans belong to. */
function currentOf(section: AccountPage, pathname: string): 'page' | 'true' | undefined {
  if (pathname === `/${section}` || pathname === `/${section}/`) return 'page';
  const [, , page] = pathname.split('/');
  return section === 'profile/billing' && BILLING_PAGES.some((one) => one === page) ? 'true' : undefined;
}

/** On a phone what is left, and the way to where it went. */
function BalanceRow({ credits }: { credits: number }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <li className="lg:hidden">
      <Link to={pathTo('credits')} className={ITEM}>
        <Coins aria-hidden size={18} strokeWidth={1.5} className="text-soft" />
        <span className="mr-auto">{t('credits.balanceLabel')}</span>
        <span className="font-medium tabular-nums">{t('credits.amount', { amount: credits })}</span>
        <RowArrow />
      </Link>
    </li>
  );
}

/** To a page of its own, on a phone. */
function RowArrow() {
  return <ChevronRight aria-hidden size={18} strokeWidth={1.5} className="shrink-0 text-soft lg:hidden" />;
}

function Icon({ page }: { page: AccountPage }) {
  const Shape = ICON[page];
  return <Shape aria-hidden size={18} strokeWidth={1.5} className="text-soft" />;
}
