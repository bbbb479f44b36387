import { Link, useLocation } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { type LanguagePage, NAV_PAGES, navKey } from '#web/lib/pages.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { HeaderAccount } from './header-account.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { PhoneMenu } from './phone-menu.tsx';
import { SkipLink } from './skip-link.tsx';
import { Wordmark } from './wordmark.tsx';

/** The header of every page: one row, always in sight. */
export function SiteHeader() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  // A page is built at an address that ends with a slash, and opened at one that does not.
  const here = useLocation().pathname.replace(/\/$/, '');
  const isOf = (page: LanguagePage) =>
    here === pathTo(page) || (page !== '' && here.startsWith(`${pathTo(page)}/`));
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-paper print:hidden">
      <SkipLink />
      <div className="page flex h-16 items-center gap-2 sm:gap-4">
        <Wordmark />
        <nav aria-label={t('nav.label')} className="ml-2 max-nav:hidden">
          <ul className="flex items-center">
            {NAV_PAGES.map((page) => (
              <li key={page}>
                <Link
                  to={pathTo(page)}
                  aria-current={isOf(page) ? 'page' : undefined}
                  className="flex min-h-11 items-center rounded-control px-3 text-soft text-sm underline-offset-8 hover:text-ink aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-2"
                >
                  {t(navKey(page))}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto flex items-center gap-1">
          <LanguageSwitch className="max-nav:hidden" />
          <HeaderAccount />
          <PhoneMenu />
        </div>
      </div>
    </header>
  );
}
