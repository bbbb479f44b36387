import { useTranslation } from '#web/lib/i18n.tsx';
import { LanguageSwitch } from '../layout/language-switch.tsx';
import { FirstQuestion } from './first-question.tsx';
import { SampleExchange } from './sample-exchange.tsx';
import { FreeNote, StartLinks } from './start-links.tsx';

export function Hero() {
  const { t } = useTranslation('common');
  return (
    <section className="page grid items-center gap-x-16 gap-y-14 py-12 sm:py-20 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)] lg:py-28">
      <div className="flex flex-col gap-6">
        <h1 className="headline text-5xl sm:text-6xl">{t('home.title')}</h1>
        <p className="max-w-md text-lg text-soft">{t('home.lead')}</p>
        <FirstQuestion />
        <StartLinks isQuiet />
        <FreeNote />
        <LanguageSwitch className="-ml-3 w-fit" />
      </div>
      <SampleExchange />
    </section>
  );
}
