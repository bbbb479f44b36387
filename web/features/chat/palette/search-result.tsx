import type { ReactNode } from 'react';
import type { Conversation, SearchHit } from '#contract/chat.ts';
import { formatDay } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';

const WHERE: Record<SearchHit['where'], TextKey> = {
  title: 'chat.whereTitle',
  prompt: 'chat.wherePrompt',
  answer: 'chat.whereAnswer',
};

type Ranges = SearchHit['ranges'];

/** A conversation by its title, with the words marked that it was found by. */
export function TitleResult({ conversation, ranges }: { conversation: Conversation; ranges: Ranges }) {
  return (
    <p dir="auto" className="truncate text-sm leading-6">
      <Marked text={conversation.title} ranges={ranges} />
    </p>
  );
}

/** One place where the words were found, with the words marked. */
export function SearchResult({ hit }: { hit: SearchHit }) {
  const { t, i18n } = useTranslation('common');
  const { conversation, where } = hit;
  const marked = <Marked text={hit.snippet} ranges={hit.ranges} />;
  return (
    <>
      <p dir="auto" className="truncate font-medium text-sm">
        {where === 'title' ? marked : conversation.title}
      </p>
      {where === 'title' ? null : (
        <p dir="auto" className="mt-0.5 line-clamp-2 text-soft text-sm wrap-anywhere">
          {marked}
        </p>
      )}
      <p className="mt-0.5 text-soft text-xs">
        {t(WHERE[where])} · {formatDay(i18n.language, hit.timestamp)}
        {conversation.archivedAt === null ? null : ` · ${t('chat.searchArchived')}`}
      </p>
    </>
  );
}

function Marked({ text, ranges }: { text: string; ranges: Ranges }) {
  const pieces: ReactNode[] = [];
  let from = 0;
  for (const [start, end] of ranges) {
    pieces.push(
      text.slice(from, start),
      <mark key={start} className="rounded-xs bg-accent/20 text-ink">
        {text.slice(start, end)}
      </mark>,
    );
    from = end;
  }
  return [...pieces, text.slice(from)];
}
