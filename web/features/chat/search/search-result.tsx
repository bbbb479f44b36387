import type { ReactNode } from 'react';
import type { SearchHit } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';
import type { TextKey } from '#web/lib/translate.ts';
import { classNames } from '#web/ui/class-names.ts';

const WHERE: Record<SearchHit['where'], TextKey> = {
  title: 'chat.whereTitle',
  prompt: 'chat.wherePrompt',
  answer: 'chat.whereAnswer',
};

interface SearchResultProps {
  id: string;
  hit: SearchHit;
  isActive: boolean;
  onOpen: () => void;
  onPoint: () => void;
}

/** One place where the words were found, with the words marked. */
export function SearchResult({ id, hit, isActive, onOpen, onPoint }: SearchResultProps) {
  const { t, i18n } = useTranslation('common');
  const { conversation, where } = hit;
  const day = new Intl.DateTimeFormat(languageTag(i18n.language), { dateStyle: 'medium' });
  const marked = <Marked text={hit.snippet} ranges={hit.ranges} />;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field that the list belongs to.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onClick={onOpen}
      onPointerMove={onPoint}
      className={classNames(
        'cursor-pointer scroll-my-2 rounded-control px-3 py-2.5 outline-none',
        isActive && 'bg-selected',
      )}
    >
      <p dir="auto" className="truncate font-medium text-sm">
        {where === 'title' ? marked : conversation.title}
      </p>
      {where === 'title' ? null : (
        <p dir="auto" className="mt-0.5 line-clamp-2 text-soft text-sm wrap-anywhere">
          {marked}
        </p>
      )}
      <p className="mt-0.5 text-soft text-xs">
        {t(WHERE[where])} · {day.format(hit.timestamp)}
        {conversation.archivedAt === null ? null : ` · ${t('chat.searchArchived')}`}
      </p>
    </div>
  );
}

function Marked({ text, ranges }: { text: string; ranges: SearchHit['ranges'] }) {
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
