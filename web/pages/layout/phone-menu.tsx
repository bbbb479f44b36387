import { Menu as MenuIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { NavLink, useLocation } from 'react-router';
import { useSession } from '#web/features/accounts/use-session.ts';
import { useSignOut } from '#web/features/accounts/use-sign-out.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { ThemeChoice } from '#web/ui/theme-choice.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { NAV_PAGES, navKey } from './nav-links.ts';

const ITEM =
  'flex min-h-12 w-full items-center rounded-control px-3 text-left hover:bg-sunken aria-[current=page]:bg-sunken';

/** Every link of the header in a sheet, where the row has no room for them. */
export function PhoneMenu() {
  const { t } = useTranslation('common');
  const [open, setOpen] = useState(false);
  const { key } = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the sheet.
  useEffect(() => setOpen(false), [key]);

  return (
    <div className="-mr-2 nav:hidden">
      <IconButton
        label={t('nav.open')}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <MenuIcon aria-hidden size={22} strokeWidth={1.5} />
      </IconButton>
      <Dialog open={open} onClose={() => setOpen(false)} title={t('nav.menu')} sheet>
        <nav aria-label={t('nav.label')}>
          <ul>
            <SheetLinks />
          </ul>
        </nav>
        <div className="mt-auto flex items-center justify-between border-line border-t pt-4">
          <LanguageSwitch className="-ml-3" />
          <ThemeChoice name="theme-menu" />
        </div>
      </Dialog>
    </div>
  );
}

function SheetLinks() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const session = useSession();
  const signOut = useSignOut();
  const signedIn = session.state === 'signed-in';
  const accountPages = signedIn
    ? (['subscription'] as const)
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
