import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import type { Operator } from '#contract/admin/screens.ts';
import { OTHER_LANGUAGE } from '#contract/choices.ts';
import type { Confirmed } from '#web/features/accounts/confirmation/confirmation-dismissed.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag, pathInLanguage } from '#web/lib/language.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { MarkedName, StandingMark } from '#web/ui/mark.tsx';
import { SheetButton } from '#web/ui/sheet/sheet-button.tsx';
import { ThemeChoice } from '#web/ui/theme-choice.tsx';
import { ActsProvider } from '../acts/acts-provider.tsx';
import { ScreenList } from './screen-list.tsx';
import { SecondFactorNeeded } from './second-factor-needed.tsx';

interface ConsoleFrameProps {
  operator: Operator;
  /** Runs what needs a fresh proof that it is the operator. */
  confirmed: Confirmed;
}

/** The console around its screens: their list at the side, on a phone behind a button. */
export function ConsoleFrame({ operator, confirmed }: ConsoleFrameProps) {
  const isOpen = !operator.needsSecondFactor;
  return (
    <ActsProvider confirmed={confirmed}>
      <div className="flex min-h-dvh flex-col">
        <Bar operator={operator} menu={isOpen ? <PhoneScreens operator={operator} /> : null} />
        <div className="mx-auto grid w-full max-w-[100rem] flex-1 grid-cols-[minmax(0,1fr)] nav:grid-cols-[15rem_minmax(0,1fr)]">
          <div className="border-line border-r p-3 max-nav:hidden">
            {isOpen ? (
              <div className="sticky top-17">
                <ScreenList />
              </div>
            ) : null}
          </div>
          <main id="main" tabIndex={-1} className="min-w-0 px-4 py-6 pb-20 outline-none sm:px-8 sm:py-8">
            {isOpen ? <Outlet /> : <SecondFactorNeeded />}
          </main>
        </div>
      </div>
    </ActsProvider>
  );
}

function Bar({ operator, menu }: { operator: Operator; menu: ReactNode }) {
  const { t } = useTranslation('admin');
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-paper">
      <a
        href="#main"
        className="absolute top-2 left-2 z-50 -translate-y-20 rounded-control bg-ink px-4 py-2 text-paper focus:translate-y-0"
      >
        {t('nav.skip')}
      </a>
      <div className="mx-auto flex h-14 max-w-[100rem] items-center gap-3 px-4 sm:px-6">
        <Link to="/admin" className="flex min-h-11 items-center gap-2.5 whitespace-nowrap">
          <StandingMark size={18} />
          <MarkedName className="text-lg">{t('admin.title')}</MarkedName>
        </Link>
        <div className="ml-auto flex min-w-0 items-center gap-1">
          <span className="truncate px-2 text-soft text-sm max-sm:hidden">{operator.name}</span>
          <ProductLink />
          <span className="flex items-center gap-1 max-nav:hidden">
            <LanguageLink />
            <ThemeChoice name="theme-bar" />
          </span>
          {menu}
        </div>
      </div>
    </header>
  );
}

/** The product is a document of its own. */
function ProductLink() {
  const { t, i18n } = useTranslation('admin');
  return (
    <a
      href={`/${i18n.language}/chat`}
      className="inline-flex min-h-11 items-center gap-1.5 whitespace-nowrap rounded-control px-2 text-soft text-sm hover:bg-sunken hover:text-ink sm:px-3"
    >
      <ArrowLeft aria-hidden size={16} strokeWidth={1.5} className="max-sm:hidden" />
      {t('admin.back')}
    </a>
  );
}

/** The same screen in the other language. */
function LanguageLink() {
  const { t, i18n } = useTranslation('admin');
  const location = useLocation();
  const other = OTHER_LANGUAGE[i18n.language];
  return (
    <a
      href={pathInLanguage(location, other)}
      hrefLang={languageTag(other)}
      lang={languageTag(other)}
      className="inline-flex min-h-11 items-center rounded-control px-3 text-soft text-sm hover:bg-sunken hover:text-ink"
    >
      {t('language.other')}
    </a>
  );
}

function PhoneScreens({ operator }: { operator: Operator }) {
  const { t } = useTranslation('admin');
  return (
    <SheetButton
      label={t('nav.open')}
      sheet={(open, close) => (
        <Dialog open={open} onClose={close} title={t('admin.title')} sheet>
          <div className="-mx-3">
            <ScreenList />
          </div>
          <div className="-mx-5 mt-auto flex flex-wrap items-center justify-between gap-2 border-line border-t px-5 pt-4">
            <p className="w-full truncate text-soft text-sm">{operator.name}</p>
            <LanguageLink />
            <ThemeChoice name="theme-menu" />
          </div>
        </Dialog>
      )}
    />
  );
}
