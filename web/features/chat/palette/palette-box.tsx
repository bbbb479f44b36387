import { X } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { MAX_SEARCH } from '#contract/limits.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useEnterKey } from '#web/lib/use-enter-key.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { shortcutOf } from '../shortcuts/shortcuts.ts';
import type { PaletteScreen } from './list-commands.tsx';
import type { Option } from './option.ts';
import { OptionGroup } from './option-group.tsx';
import { useOptions } from './use-options.tsx';
import { type Search, useSearch } from './use-search.ts';

interface PaletteBoxProps {
  onClose: (then?: () => void) => void;
  screen: PaletteScreen;
}

/** The field of the palette and what it offers. */
export function PaletteBox({ onClose, screen }: PaletteBoxProps) {
  const { t } = useTranslation('common');
  const navigate = useNavigate();
  const listId = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const search = useSearch(text);
  const groups = useOptions(text, search, screen);
  const options = groups.flatMap((group) => group.options);
  const place = Math.min(active, Math.max(options.length - 1, 0));
  const idOf = (index: number) => `${listId}-${index}`;

  const run = (option: Option | undefined) => {
    if (!option) return;
    if ('to' in option) void navigate(option.to, { replace: true, state: option.state });
    else onClose(option.run);
  };
  const move = (key: string) => {
    const next = stepTo(key, place, options.length);
    if (next === null) return false;
    setActive(next);
    document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' });
    return true;
  };
  const keys = useEnterKey({
    onEnter: () => {
      const option = options[place];
      if (!option?.isStale) run(option);
    },
    onKey: move,
  });
  const closeOnShortcut = (event: KeyboardEvent) => {
    if (shortcutOf(event.nativeEvent, { inField: true, singleKeys: false }) !== 'search') return;
    event.preventDefault();
    onClose();
  };
  let before = 0;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key is that of the page, which opened this.
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={closeOnShortcut}>
      <div className="flex shrink-0 items-center border-line border-b pr-2 pl-2">
        <input
          ref={focusWhenShown}
          type="text"
          dir="auto"
          role="combobox"
          value={text}
          maxLength={MAX_SEARCH}
          aria-label={t('chat.searchLabel')}
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? idOf(place) : undefined}
          placeholder={t('chat.searchLabel')}
          enterKeyHint="go"
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          {...keys}
          className="h-14 min-w-0 flex-1 bg-transparent px-3 outline-hidden placeholder:text-soft"
        />
        <IconButton label={t('dialog.close')} onClick={() => onClose()}>
          <X aria-hidden size={20} strokeWidth={1.5} />
        </IconButton>
      </div>
      <div
        data-scroller
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain outline-offset-[-2px]"
      >
        <div
          id={listId}
          role="listbox"
          tabIndex={-1}
          aria-label={t('chat.searchResults')}
          className="p-2 outline-none empty:hidden"
        >
          {groups.map((group) => {
            const first = before;
            before += group.options.length;
            return (
              <OptionGroup
                key={group.label}
                group={group}
                first={first}
                active={place}
                idOf={idOf}
                onRun={run}
                onPoint={setActive}
              />
            );
          })}
        </div>
        {search.loadMore ? (
          <LoadMore label={t('chat.searchMore')} failedText={t('chat.searchFailed')} load={search.loadMore} />
        ) : null}
      </div>
      <SearchStatus search={search} isEmpty={options.length === 0} />
    </div>
  );
}

/** Where a key leads among `count` options; null where it means nothing. */
function stepTo(key: string, place: number, count: number): number | null {
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || count === 0) return null;
  return (place + step + count) % count;
}

/** A dialog focuses, when it opens, what has this attribute; React keeps it to itself. */
function focusWhenShown(field: HTMLInputElement | null): void {
  field?.setAttribute('autofocus', '');
}

/** What became of the search, in words. */
function SearchStatus({ search: { state, hits }, isEmpty }: { search: Search; isEmpty: boolean }) {
  const { t } = useTranslation('common');
  const text = {
    idle: t('chat.searchIdle'),
    searching: t('chat.searching'),
    failed: t('chat.searchFailed'),
    found: isEmpty ? t('chat.searchNone') : t('chat.searchCount', { count: hits.length }),
  }[state];
  return (
    <p role="status" className="shrink-0 border-line border-t px-5 py-2.5 text-soft text-sm">
      {text}
    </p>
  );
}
