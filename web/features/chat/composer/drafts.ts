import { liveTabs, tabId } from './tab-id.ts';

const PREFIX = 'chat.draft.';
const KEPT_MS = 30 * 24 * 3600 * 1000;

/** The draft of a conversation that has no id in the address yet. */
export const NEW_CONVERSATION = 'new';

interface Kept {
  text: string;
  at: number;
}

/** The unsent text that this tab keeps on this device for a user's conversation; empty when there is none or storage is closed to us. */
export function readDraft(userId: string, conversation: string): string {
  return read(keyOf(userId, conversation, tabId()))?.text ?? '';
}

/** Keeps the unsent text of a conversation on this device, apart from those of other tabs; an empty one is removed. */
export function saveDraft(userId: string, conversation: string, text: string): void {
  write(keyOf(userId, conversation, tabId()), text);
}

/** Takes over the newest unsent text of a conversation whose tab was closed; empty when there is none. */
export async function adoptDraft(userId: string, conversation: string): Promise<string> {
  const live = await liveTabs();
  const orphans = keysUnder(`${keyOf(userId, conversation, '')}`)
    .filter((key) => !live.has(key.slice(key.lastIndexOf('.') + 1)))
    .map((key) => ({ key, kept: read(key) }))
    .filter(({ kept }) => kept !== null && kept.at > Date.now() - KEPT_MS);
  const newest = orphans.toSorted((a, b) => (b.kept?.at ?? 0) - (a.kept?.at ?? 0))[0];
  if (!newest?.kept) return '';
  write(newest.key, '');
  saveDraft(userId, conversation, newest.kept.text);
  return newest.kept.text;
}

/** Removes every draft from this device, of any user: for signing out. */
export function clearDrafts(): void {
  for (const key of keysUnder(PREFIX)) write(key, '');
}

/** Removes drafts without a change in 30 days. */
export function clearOldDrafts(): void {
  for (const key of keysUnder(PREFIX)) if ((read(key)?.at ?? 0) < Date.now() - KEPT_MS) write(key, '');
}

function keyOf(userId: string, conversation: string, tab: string): string {
  return `${PREFIX}${userId}.${conversation}.${tab}`;
}

function keysUnder(start: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(start));
  } catch {
    return [];
  }
}

function read(key: string): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Kept> | null;
    return typeof kept?.text === 'string' && typeof kept.at === 'number' ? (kept as Kept) : null;
  } catch {
    return null;
  }
}

function write(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ text, at: Date.now() } satisfies Kept));
  } catch {
    // Storage is full or forbidden: the draft lives as long as the page.
  }
}
