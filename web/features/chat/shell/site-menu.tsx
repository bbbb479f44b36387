import { brand } from 'virtual:site';
import { ChevronDown } from 'lucide-react';
import type { ButtonHTMLAttributes } from 'react';
import { useLocation } from 'react-router';
import { brandName } from '#contract/brand.ts';
import { OTHER_LANGUAGE } from '#contract/choices.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag, pathInLanguage } from '#web/lib/language.ts';
import { FOOTER_PAGES, NAV_PAGES, navKey } from '#web/lib/pages.ts';
import { THEMES, useTheme } from '#web/lib/theme.ts';
import { useLanguage, useLocalPath } from '#web/lib/use-language.ts';
import { Mark, MarkedName, StandingMark } from '#web/ui/mark.tsx';
import { Menu, MenuChoice, MenuLink, MenuOption, MenuSeparator } from '#web/ui/menu.tsx';

/** The mark of the product: opens what header and footer of other pages hold. `named` shows the name beside it. */
export function SiteMenu({ named = false }: { named?: boolean }) {
  const { t, i18n } = useTranslation('common');
  const pathTo = useLocalPath();
  const location = useLocation();
  const [theme, chooseTheme] = useTheme();
  const other = OTHER_LANGUAGE[i18n.language];
  return (
    <Menu trigger={<SiteButton named={named} />} align="start">
      <div className="grid grid-cols-2 gap-x-1">
        {[...NAV_PAGES, ...FOOTER_PAGES].map((page) => (
          <MenuLink key={page} to={pathTo(page)}>
            {t(navKey(page))}
          </MenuLink>
        ))}
        <MenuLink to={pathInLanguage(location, other)} language={languageTag(other)}>
          {t('language.other')}
        </MenuLink>
      </div>
      <MenuSeparator />
      <MenuChoice label={t('theme.label')} value={theme} onChange={chooseTheme}>
        <p aria-hidden className="px-3 pt-1 text-soft text-xs">
          {t('theme.label')}
        </p>
        <div className="grid grid-cols-3">
          {THEMES.map((choice) => (
            <MenuOption key={choice} value={choice}>
              {t(`theme.${choice}`)}
            </MenuOption>
          ))}
        </div>
      </MenuChoice>
    </Menu>
  );
}

interface SiteButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  named: boolean;
}

function SiteButton({ named, ...button }: SiteButtonProps) {
  const { t } = useTranslation('common');
  const language = useLanguage();
  const name = brandName(brand, language);
  return (
    <button
      type="button"
      title={t('nav.menu')}
      {...button}
      className="flex min-h-11 min-w-0 items-center gap-2.5 rounded-control px-3 hover:bg-sunken aria-expanded:bg-sunken"
    >
      {named ? <StandingMark /> : <Mark size={20} />}
      {named ? (
        <MarkedName className="truncate text-xl">{name}</MarkedName>
      ) : (
        <span className="sr-only">{name}</span>
      )}
      <span className="sr-only">{t('nav.menu')}</span>
      <ChevronDown aria-hidden size={16} strokeWidth={1.5} className="shrink-0 text-soft" />
    </button>
  );
}
