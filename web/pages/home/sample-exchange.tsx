import { defaultModelTitle } from 'virtual:site';
import { usePrices } from '#web/features/catalogue/use-prices.ts';
import { useTranslation } from '#web/lib/i18n.tsx';

/** A question and its answer as the chat prints them, with the price beneath, between the two brackets of the mark. */
export function SampleExchange() {
  const { t, i18n } = useTranslation('common');
  const { defaultCost } = usePrices();
  return (
    <figure className="speech flex flex-col gap-6">
      <div>
        <p className="mb-1 text-soft text-sm">{t('home.sample.you')}</p>
        <p className="text-lg">{t('home.sample.question')}</p>
      </div>
      <div>
        <p className="mb-1 text-soft text-sm">{defaultModelTitle[i18n.language]}</p>
        <p className="text-lg leading-relaxed">{t('home.sample.answer')}</p>
      </div>
      <figcaption className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-line border-t pt-4 text-sm tabular-nums">
        <span>{t('home.sample.price', { defaultCost })}</span>
        <span className="text-soft">{t('home.sample.label')}</span>
      </figcaption>
    </figure>
  );
}
