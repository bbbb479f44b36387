import { ChevronDown } from 'lucide-react';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { placePopup } from '#web/ui/place-popup.ts';
import { mayBeLess, priceKey } from './extra-cost.ts';
import { PriceLines } from './price-lines.tsx';
import type { ShownQuote } from './use-quote.ts';

/** The most that the message being written may cost; opens what that is made of. */
export function QuoteButton({ quote }: { quote: ShownQuote }) {
  const { t } = useTranslation('common');
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (open) placePopup(popup.current, id, 'end');
  }, [open, id]);
  if (quote.max === null) {
    return (
      <span
        role="status"
        className="px-2 text-sm text-soft max-sm:min-w-0 max-sm:flex-1 max-sm:basis-24 max-sm:text-right"
      >
        {quote.error ? null : t(quote.isUnread ? 'quote.unread' : 'quote.pending')}
      </span>
    );
  }
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-expanded={open}
        aria-haspopup="dialog"
        aria-busy={quote.isPending}
        className="inline-flex min-h-11 items-center gap-1.5 whitespace-nowrap rounded-control px-2 text-sm text-soft tabular-nums hover:bg-sunken hover:text-ink aria-busy:opacity-60 max-sm:gap-1 max-sm:px-1.5"
      >
        {t(priceKey(quote.lines), { credits: quote.max })}
        <ChevronDown aria-hidden size={16} strokeWidth={1.5} className="shrink-0" />
      </button>
      <div
        ref={popup}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={t('quote.title')}
        onToggle={(event) => setOpen(event.newState === 'open')}
        className="invisible fixed inset-auto m-0 w-88 max-w-[calc(100vw-1.5rem)] overflow-y-auto rounded-card border border-line bg-raised p-4 text-ink text-sm shadow-float"
      >
        {open ? (
          <>
            <p className="mb-3 font-medium">{t('quote.title')}</p>
            <PriceLines lines={quote.lines} max={quote.max} />
            {mayBeLess(quote.lines) ? (
              <p className="mt-3 border-line border-t pt-3 text-soft">{t('quote.promise')}</p>
            ) : null}
          </>
        ) : null}
      </div>
    </>
  );
}
