import { useLocation } from 'react-router';
import { OTHER_LANGUAGE } from '#contract/choices.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag, pathInLanguage } from '#web/lib/language.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { classNames } from '#web/ui/class-names.ts';

/**
 * Leads to the same page in the other language; a document of its own, so that only one language is ever loaded. It is drawn
 * anew once the browser has taken over: one built page may stand for many addresses.
 */
export function LanguageSwitch({ className }: { className?: string }) {
  const { t, i18n } = useTranslation('common');
  const location = useLocation();
  const hydrated = useHydrated();
  const other = OTHER_LANGUAGE[i18n.language];
  const here = hydrated ? location : { pathname: location.pathname, search: '', hash: '' };
  return (
    <a
      key={String(hydrated)}
      suppressHydrationWarning
      href={pathInLanguage(here, other)}
      hrefLang={languageTag(other)}
      lang={languageTag(other)}
      className={classNames(
        'inline-flex min-h-11 items-center rounded-control px-3 text-soft text-sm hover:bg-sunken hover:text-ink',
        className,
      )}
    >
      {t('language.other')}
    </a>
  );
}
