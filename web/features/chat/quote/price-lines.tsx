import type { Quote } from '#contract/message/quotes.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey, Translate } from '#web/lib/translate.ts';
import { priceKey } from './extra-cost.ts';

type Line = Quote['lines'][number];

/** What a line of a price is for, in words. */
export const PRICE_LINE: Record<Line['kind'], TextKey> = {
  message: 'priceLine.message',
  files: 'priceLine.files',
  search: 'priceLine.search',
  picture: 'priceLine.picture',
  computer: 'priceLine.computer',
};

/** The lines of a quote, each with the most that it may cost and, where it may cost less, how it is counted; then their sum. */
export function PriceLines({ lines, max }: { lines: Quote['lines']; max: number }) {
  const { t } = useTranslation('common');
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2 tabular-nums">
      {lines.map((line) => {
        const how = explain(t, line);
        return (
          <div key={line.kind} className="contents">
            <dt>
              {t(PRICE_LINE[line.kind])}
              {how === null ? null : <span className="block text-soft">{how}</span>}
            </dt>
            <dd className="whitespace-nowrap text-right">{t(priceKey([line]), { credits: line.max })}</dd>
          </div>
        );
      })}
      <div className="col-span-2 flex justify-between border-line border-t pt-2 font-medium">
        <dt>{t('quote.sum')}</dt>
        <dd className="whitespace-nowrap">{t(priceKey(lines), { credits: max })}</dd>
      </div>
    </dl>
  );
}

function explain(t: Translate, { kind, params }: Line): string | null {
  const { tokens = 0, free = 0, step = 0, each = 0, covered = 0 } = params;
  if (kind === 'files') return t('quote.filesHow', { tokens, free, step, each });
  if (kind === 'search') return t('quote.searchHow', { each });
  if (kind === 'computer') return t('quote.computerHow', { covered, each });
  return kind === 'picture' ? t('quote.pictureHow') : null;
}
