import { useCallback, useState } from 'react';
import type { SendOptions } from '#contract/message/quotes.ts';

export type SearchMode = NonNullable<SendOptions['search']>;

const KEY = 'chat.search';
/** So many conversations are remembered, the last ones. */
const KEPT = 100;

/** Whether the web is searched in a conversation, as its reader chose last on this device; not at all without a choice. */
export function useSearchMode(conversationId: string): [SearchMode, (mode: SearchMode) => void] {
  const [mode, setMode] = useState<SearchMode>(() => readModes()[conversationId] ?? 'off');
  const choose = useCallback(
    (next: SearchMode) => {
      setMode(next);
      const { [conversationId]: _, ...others } = readModes();
      const entries = Object.entries(others).slice(1 - KEPT);
      write(Object.fromEntries(next === 'off' ? entries : [...entries, [conversationId, next]]));
    },
    [conversationId],
  );
  return [mode, choose];
}

/** Forgets the choices of this device: for signing out. */
export function clearSearchModes(): void {
  write({});
}

function readModes(): Record<string, SearchMode> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, SearchMode>;
  } catch {
    return {};
  }
}

function write(modes: Record<string, SearchMode>): void {
  try {
    if (Object.keys(modes).length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(modes));
  } catch {
    // Storage is forbidden: the choice lives as long as the page.
  }
}
