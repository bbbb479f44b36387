import {
  ChevronRight,
  CreditCard,
  Download,
  KeyRound,
  LogOut,
  MonitorSmartphone,
  ShieldCheck,
  UserRound,
} from 'lucide-react';
import { NavLink, useLocation } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import { Avatar } from '#web/features/accounts/profile/avatar.tsx';
import { useSignOut } from '#web/features/accounts/session/sign-out.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { ACCOUNT_PAGES, type AccountPage } from '#web/lib/pages.ts';
import { classNames } from '#web/ui/class-names.ts';

const ICON = {
  profile: UserRound,
  'profile/security': ShieldCheck,
  'profile/devices': MonitorSmartphone,
  'profile/billing': CreditCard,
  'profile/data': Download,
  'profile/api': KeyRound,
} as const satisfies Record<AccountPage, typeof UserRound>;

const ITEM =
  'flex min-h-12 w-full items-center gap-3 px-1 text-left lg:min-h-11 lg:rounded-control lg:px-3 lg:hover:bg-sunken';

/** Whose account it is, and its sections: at the side, on a phone the others above the first of them. */
export function SectionList({ user }: { user: UserRecord }) {
  const { t } = useTranslation('common');
  const signOut = useSignOut();
  const { pathname } = useLocation();
  const isFirst = /^\/profile\/?$/.test(pathname);
  return (
    <div className={classNames('min-w-0 self-start lg:sticky lg:top-24', !isFirst && 'max-lg:hidden')}>
      <div className="mb-4 flex items-center gap-3 lg:px-3">
        <Avatar photoURL={user.photoURL} name={user.displayName || user.email} />
        <div className="min-w-0">
          <p className="truncate font-medium">{user.displayName || user.email}</p>
          <p className="truncate text-soft text-sm">{user.email}</p>
        </div>
      </div>
      <nav aria-label={t('accountPages.label')}>
        <ul className="max-lg:divide-y max-lg:divide-line max-lg:border-line max-lg:border-y">
          {ACCOUNT_PAGES.map((page) => (
            <li key={page} className={page === 'profile' ? 'max-lg:hidden' : undefined}>
              <NavLink
                to={`/${page}`}
                end
                className={`${ITEM} aria-[current=page]:font-medium lg:aria-[current=page]:bg-sunken`}
              >
                <Icon page={page} />
                {t(`accountPages.${page}`)}
                <ChevronRight
                  aria-hidden
                  size={18}
                  strokeWidth={1.5}
                  className="ml-auto text-soft lg:hidden"
                />
              </NavLink>
            </li>
          ))}
          <li>
            <button type="button" className={ITEM} onClick={() => void signOut()}>
              <LogOut aria-hidden size={18} strokeWidth={1.5} className="text-soft" />
              {t('profile.logout')}
            </button>
          </li>
        </ul>
      </nav>
    </div>
  );
}

function Icon({ page }: { page: AccountPage }) {
  const Shape = ICON[page];
  return <Shape aria-hidden size={18} strokeWidth={1.5} className="text-soft" />;
}
