const KEY = 'chat.tab';
const LOCK = 'chat.tab.';

let id: string | null = null;

/** Identifies this tab among those of this browser; it survives a reload. */
export function tabId(): string {
  if (id === null) {
    id = readId() ?? makeId();
    hold(id);
  }
  return id;
}

/** The tabs that are open now, this one included. Where the browser cannot list them, only this one. */
export async function liveTabs(): Promise<Set<string>> {
  const own = tabId();
  if (!('locks' in navigator)) return new Set([own]);
  const { held = [], pending = [] } = await navigator.locks.query();
  const names = [...held, ...pending].map(({ name = '' }) => name).filter((name) => name.startsWith(LOCK));
  return new Set([own, ...names.map((name) => name.slice(LOCK.length))]);
}

/** Holds the id as long as the tab lives. A duplicated tab brings the id of its original along, and takes another. */
function hold(wanted: string): void {
  if (!('locks' in navigator)) return;
  void navigator.locks.request(`${LOCK}${wanted}`, { ifAvailable: true }, (lock) => {
    if (lock) return new Promise(() => {});
    id = makeId();
    hold(id);
    return undefined;
  });
}

function makeId(): string {
  const made = Math.random().toString(36).slice(2);
  try {
    sessionStorage.setItem(KEY, made);
  } catch {
    // Storage is forbidden: then there are no drafts to keep apart.
  }
  return made;
}

function readId(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
