import { Search as SearchIcon } from 'lucide-react';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import type { SearchHit } from '#contract/chat.ts';
import { SEARCH_LIMIT } from '#contract/limits.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useEnterKey } from '#web/lib/use-enter-key.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { TARGET } from '../conversation/use-target.ts';
import { SearchResult } from './search-result.tsx';
import { type Search, useSearch } from './use-search.ts';

interface SearchDialogProps {
  open: boolean;
  onClose: () => void;
}

/** Searches titles and messages; what is chosen is opened at the place found. */
export function SearchDialog({ open, onClose }: SearchDialogProps) {
  const { t } = useTranslation('common');
  return (
    <Dialog open={open} onClose={onClose} title={t('chat.search')} wide>
      <SearchBox onClose={onClose} />
    </Dialog>
  );
}

function SearchBox({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const navigate = useNavigate();
  const listId = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const search = useSearch(text);
  const { hits, words } = search;
  const place = Math.min(active, Math.max(hits.length - 1, 0));

  const open = (hit: SearchHit | undefined) => {
    if (!hit) return;
    const target = hit.messageId === null ? '' : `?${TARGET}=${hit.messageId}`;
    void navigate(`${pathTo('chat')}/${hit.conversation.id}${target}`, { state: { words } });
    onClose();
  };
  const move = (key: string) => {
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || hits.length === 0) return false;
    const next = (place + step + hits.length) % hits.length;
    setActive(next);
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
    return true;
  };
  const keys = useEnterKey({ onEnter: () => open(hits[place]), onKey: move });
  return (
    <div className="flex flex-col gap-3">
      <div className="relative">
        <SearchIcon
          aria-hidden
          size={18}
          strokeWidth={1.5}
          className="-translate-y-1/2 absolute top-1/2 left-3 text-soft"
        />
        <input
          ref={focusWhenShown}
          type="text"
          role="combobox"
          value={text}
          maxLength={SEARCH_LIMIT}
          aria-label={t('chat.searchLabel')}
          aria-expanded={hits.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={hits.length > 0 ? `${listId}-${place}` : undefined}
          placeholder={t('chat.searchLabel')}
          enterKeyHint="search"
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          {...keys}
          className="h-11 w-full rounded-control border border-edge bg-raised pr-3 pl-10 placeholder:text-soft"
        />
      </div>
      <SearchStatus search={search} />
      <div
        id={listId}
        role="listbox"
        tabIndex={-1}
        aria-label={t('chat.searchResults')}
        className={
          hits.length === 0 ? 'hidden' : '-mx-2 max-h-[55dvh] overflow-y-auto overscroll-contain outline-none'
        }
      >
        {hits.map((hit, index) => (
          <SearchResult
            key={`${hit.conversation.id}-${hit.messageId}-${hit.where}`}
            id={`${listId}-${index}`}
            hit={hit}
            isActive={index === place}
            onOpen={() => open(hit)}
            onPoint={() => setActive(index)}
          />
        ))}
      </div>
      {search.loadMore ? (
        <LoadMore label={t('chat.searchMore')} failedText={t('chat.searchFailed')} load={search.loadMore} />
      ) : null}
    </div>
  );
}

/** A dialog focuses, when it opens, what has this attribute; React keeps it to itself. */
function focusWhenShown(field: HTMLInputElement | null): void {
  field?.setAttribute('autofocus', '');
}

/** What became of the search, in words where there is nothing to show. */
function SearchStatus({ search: { state, hits } }: { search: Search }) {
  const { t } = useTranslation('common');
  const text = {
    idle: t('chat.searchIdle'),
    searching: t('chat.searching'),
    failed: t('chat.searchFailed'),
    found: hits.length === 0 ? t('chat.searchNone') : t('chat.searchCount', { count: hits.length }),
  }[state];
  return (
    <p role="status" className={state === 'found' && hits.length > 0 ? 'sr-only' : 'text-soft text-sm'}>
      {text}
    </p>
  );
}
