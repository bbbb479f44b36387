import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { priceKey } from './extra-cost.ts';
import type { ShownQuote } from './use-quote.ts';

const loadButton = () => import('./quote-button.tsx');

/** The most that the message being written may cost: in words, until the button that opens what it is made of is here. */
export function QuotePrice({ quote }: { quote: ShownQuote }) {
  const { t } = useTranslation('common');
  const button = useModule(true, loadButton);
  if (button) return <button.QuoteButton quote={quote} />;
  if (quote.max === null) return null;
  return (
    <span className="inline-flex min-h-11 items-center whitespace-nowrap px-2 text-sm text-soft tabular-nums max-sm:px-1.5">
      {t(priceKey(quote.lines), { credits: quote.max })}
    </span>
  );
}
