import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { FOOTER_PAGES, navKey } from '#web/lib/pages.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { ThemeChoice } from '#web/ui/theme-choice.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { Wordmark } from './wordmark.tsx';

/** The foot of every page but the chat. Where the header, which stays in sight, has the other language, it is not here again. */
export function SiteFooter() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <footer className="border-line border-t print:hidden">
      <div className="page flex flex-col gap-5 py-8">
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
          <Wordmark />
          <nav aria-label={t('nav.footerLabel')}>
            <ul className="-mx-3 flex flex-wrap">
              {FOOTER_PAGES.map((page) => (
                <li key={page}>
                  <Link
                    to={pathTo(page)}
                    className="flex min-h-11 items-center rounded-control px-3 text-soft text-sm hover:text-ink"
                  >
                    {t(navKey(page))}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="text-soft text-sm">{t('footer.line')}</p>
          <div className="flex items-center gap-2">
            <LanguageSwitch className="nav:hidden max-sm:-ml-3" />
            <ThemeChoice name="theme-footer" />
          </div>
        </div>
      </div>
    </footer>
  );
}
