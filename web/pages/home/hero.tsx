import { useTranslation } from '#web/lib/i18n.tsx';
import { LanguageSwitch } from '../layout/language-switch.tsx';
import { FirstQuestion } from './first-question.tsx';
import { SampleExchange } from './sample-exchange.tsx';
import { FreeNote, StartLinks } from './start-links.tsx';

export function Hero() {
  const { t } = useTranslation('common');
  return (
    <section className="page grid items-center gap-x-16 gap-y-10 py-8 sm:gap-y-14 sm:py-12 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)]">
      <div className="flex flex-col gap-6">
        <div className="flex flex-col gap-2">
          <BothLanguages />
          <h1 className="headline text-5xl sm:text-6xl">{t('home.title')}</h1>
        </div>
        <p className="max-w-lg text-lg text-soft">
          <span className="inline-block">{t('home.lead')}</span>{' '}
          <span className="inline-block">{t('home.leadFree')}</span>
        </p>
        <FirstQuestion />
        <StartLinks isQuiet />
        <FreeNote />
      </div>
      <SampleExchange />
    </section>
  );
}

/** The language of the page, and the way to the other one. */
function BothLanguages() {
  const { t, i18n } = useTranslation('common');
  return (
    <div className="flex items-center text-sm">
      <span>{t(i18n.language === 'zh' ? 'look.zh' : 'look.en')}</span>
      <span aria-hidden className="ml-3 h-3.5 border-line border-l" />
      <LanguageSwitch />
    </div>
  );
}
