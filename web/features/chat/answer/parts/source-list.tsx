import { ChevronDown } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { SourcesPart } from '#contract/message/parts.ts';
import { formatDay } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PagesRead } from './pages-read.tsx';
import { SourceLink } from './source-link.tsx';
import { Suggestions } from './suggestions.tsx';

/** So many are shown until the reader wants all; on paper all are, because marks name them. */
const SHOWN = 6;

interface SourceListProps {
  sources: SourcesPart;
  /** When the answer ended, in epoch milliseconds: its search was of that day. */
  at: number;
  /** It came with the end of an answer that may be read: nothing is moved for it. */
  late: boolean;
}

/** What an answer rests on: the addresses that were read for it, the pages found, and what else the provider suggests to search. */
export function SourceList({ sources, at, late }: SourceListProps) {
  const { pages = [], suggestions = '', queries } = sources;
  const isSearched = queries.length > 0 || sources.sources.length > 0;
  return (
    <div data-late={late || undefined} className="flow-root">
      {pages.length > 0 ? <PagesRead pages={pages} /> : null}
      {suggestions === '' ? null : <Suggestions html={suggestions} />}
      {isSearched ? <PageList sources={sources} at={at} /> : null}
    </div>
  );
}

/** The web pages that an answer rests on, by the numbers of its marks, and when they were found: no provider says of when they are. */
function PageList({ sources: { sources, queries }, at }: Omit<SourceListProps, 'late'>) {
  const { t, i18n } = useTranslation('common');
  const [isWhole, setWhole] = useState(false);
  const titleId = useId();
  const list = useRef<HTMLOListElement>(null);
  const showAll = () => {
    flushSync(() => setWhole(true));
    list.current?.querySelector<HTMLElement>(`li:nth-child(n + ${SHOWN + 1}) a`)?.focus();
  };
  return (
    <section aria-labelledby={titleId} className="mt-4 border-line border-t pt-3 text-sm">
      <h3 id={titleId} className="mb-1 text-soft">
        {sources.length === 0 ? t('sources.none') : t('sources.title')}
        {' · '}
        <time dateTime={new Date(at).toISOString()}>
          {t('sources.searchedOn', { date: formatDay(i18n.language, at) })}
        </time>
      </h3>
      <ol ref={list} className="grid gap-x-6 sm:grid-cols-2">
        {sources.map((source, place) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a source is its number.
            key={place}
            className={`min-w-0 gap-2 py-1 ${isWhole || place < SHOWN ? 'flex' : 'hidden print:flex'}`}
          >
            <span className="min-w-5 shrink-0 text-right text-soft tabular-nums">{place + 1}</span>
            <SourceLink source={source} />
          </li>
        ))}
      </ol>
      {sources.length > SHOWN && !isWhole ? (
        <button
          type="button"
          onClick={showAll}
          className="mt-1 inline-flex min-h-9 items-center gap-1.5 rounded-control px-2 text-soft hover:bg-sunken hover:text-ink pointer-coarse:min-h-11 print:hidden"
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
