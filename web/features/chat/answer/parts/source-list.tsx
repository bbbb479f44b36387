import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { SourcesPart } from '#contract/message/parts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { SourceLink } from './source-link.tsx';

/** So many are shown until the reader wants all. */
const SHOWN = 6;

/** The web pages that an answer rests on, by the numbers of its marks. */
export function SourceList({ sources: { sources, queries } }: { sources: SourcesPart }) {
  const { t } = useTranslation('common');
  const [isWhole, setWhole] = useState(false);
  const titleId = useId();
  const shown = isWhole ? sources : sources.slice(0, SHOWN);
  return (
    <section aria-labelledby={titleId} className="mt-4 border-line border-t pt-3 text-sm">
      <h3 id={titleId} className="mb-1 text-soft">
        {sources.length === 0 ? t('sources.none') : t('sources.title')}
      </h3>
      <ol className="grid gap-x-6 sm:grid-cols-2">
        {shown.map((source, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a source is its number.
          <li key={place} className="flex min-w-0 gap-2 py-1">
            <span className="min-w-5 shrink-0 text-right text-soft tabular-nums">{place + 1}</span>
            <SourceLink source={source} />
          </li>
        ))}
      </ol>
      {sources.length > shown.length ? (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="mt-1 inline-flex min-h-9 items-center gap-1.5 rounded-control px-2 text-soft hover:bg-sunken hover:text-ink"
        >
          {t('sources.all', { count: sources.length })}
          <ChevronDown aria-hidden size={16} strokeWidth={1.5} />
        </button>
      ) : null}
      {queries.length > 0 ? (
        <p dir="auto" className="mt-1 text-soft wrap-anywhere">
          {t('sources.queries', { queries: queries.map(plainQuery).join(' · ') })}
        </p>
      ) : null}
    </section>
  );
}

function plainQuery(query: string): string {
  return query.replace(/\p{Cc}|\p{Bidi_Control}/gu, '');
}
