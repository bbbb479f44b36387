import { NavLink } from 'react-router';
import { useSignOut } from '#web/features/accounts/session/sign-out.ts';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { NAV_PAGES, navKey } from '#web/lib/pages.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { ThemeChoice } from '#web/ui/theme-choice.tsx';
import { LanguageSwitch } from './language-switch.tsx';

const ITEM =
  'flex min-h-12 w-full items-center rounded-control px-3 text-left hover:bg-sunken aria-[current=page]:bg-selected aria-[current=page]:marked-in-forced-colors';

/** Every link of the header in a sheet at the side. */
export function PhoneSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation('common');
  return (
    <Dialog open={open} onClose={onClose} title={t('nav.menu')} sheet>
      <nav aria-label={t('nav.label')} className="mb-6">
        <ul>
          <SheetLinks />
        </ul>
      </nav>
      <div className="-mx-5 mt-auto flex flex-wrap items-center justify-between gap-2 border-line border-t px-5 pt-4">
        <LanguageSwitch className="-ml-3" />
        <ThemeChoice name="theme-menu" />
      </div>
    </Dialog>
  );
}

function SheetLinks() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const session = useSession();
  const signOut = useSignOut();
  const signedIn = session.state === 'signed-in';
  const accountPages = signedIn
    ? (['subscription', 'credits', 'orders'] as const)
    : (['login', 'register', 'subscription'] as const);
  return (
    <>
      {[...NAV_PAGES, ...accountPages].map((page) => (
        <li key={page}>
          <NavLink to={pathTo(page)} end={page === ''} className={ITEM}>
            {t(navKey(page))}
          </NavLink>
        </li>
      ))}
      {signedIn ? (
        <>
          <li>
            <NavLink to="/profile" className={ITEM}>
              {t('nav.profile')}
            </NavLink>
          </li>
          <li>
            <button type="button" className={ITEM} onClick={() => void signOut()}>
              {t('nav.logout')}
            </button>
          </li>
        </>
      ) : null}
    </>
  );
}
