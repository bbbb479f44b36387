import { Languages } from 'lucide-react';
import { useLocation } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageOfPath, languageTag } from '#web/lib/language.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { classNames } from '#web/ui/class-names.ts';

/** Leads to the same page in the other language; a document of its own, so that only one language is ever loaded. */
export function LanguageSwitch({ className }: { className?: string }) {
  const { t, i18n } = useTranslation('common');
  const { pathname, search, hash } = useLocation();
  const hydrated = useHydrated();
  const other = i18n.language === 'zh' ? 'en' : 'zh';
  const query = new URLSearchParams(hydrated ? search : '');
  const rest = pathname.split('/').slice(2).join('/');
  const path = languageOfPath(pathname) ? `/${other}${rest ? `/${rest}` : ''}` : pathname;
  if (languageOfPath(pathname)) query.delete('lang');
  else query.set('lang', other);
  const href = path + (query.size > 0 ? `?${query}` : '') + (hydrated ? hash : '');
  return (
    <a
      href={href}
      hrefLang={languageTag(other)}
      lang={languageTag(other)}
      className={classNames(
        'inline-flex min-h-11 items-center gap-1.5 rounded-control px-3 text-soft text-sm hover:bg-sunken hover:text-ink',
        className,
      )}
    >
      <Languages aria-hidden size={18} strokeWidth={1.5} />
      {t('language.other')}
    </a>
  );
}
