import type { SendMessage } from '#contract/chat.ts';
import { liveTabs, tabId } from './tab-id.ts';

const PREFIX = 'chat.draft.';
const KEPT_MS = 30 * 24 * 3600 * 1000;

/** The draft of a conversation that has no id in the address yet. */
export const NEW_CONVERSATION = 'new';

export interface KeptDraft {
  text: string;
  /** The message that was made of it and that no answer came to: sent again, it has the same id. */
  unsent: SendMessage | null;
}

interface Kept extends Partial<KeptDraft> {
  text: string;
  at: number;
}

const NOTHING: KeptDraft = { text: '', unsent: null };

/** The unsent text that this tab keeps on this device for a user's conversation; empty when there is none or storage is closed to us. */
export function readDraft(userId: string, conversation: string): KeptDraft {
  return { ...NOTHING, ...read(keyOf(userId, conversation, tabId())) };
}

/** Keeps the unsent text of a conversation on this device, apart from those of other tabs; an empty one is removed. */
export function saveDraft(userId: string, conversation: string, draft: KeptDraft): void {
  write(keyOf(userId, conversation, tabId()), draft);
}

/** Takes over the newest unsent text of a conversation whose tab was closed; empty when there is none. */
export async function adoptDraft(userId: string, conversation: string): Promise<KeptDraft> {
  const live = await liveTabs();
  const orphans = keysUnder(`${keyOf(userId, conversation, '')}`)
    .filter((key) => !live.has(key.slice(key.lastIndexOf('.') + 1)))
    .map((key) => ({ key, kept: read(key) }))
    .filter(({ kept }) => kept !== null && kept.at > Date.now() - KEPT_MS);
  const newest = orphans.toSorted((a, b) => (b.kept?.at ?? 0) - (a.kept?.at ?? 0))[0];
  if (!newest?.kept) return NOTHING;
  const { text, unsent = null } = newest.kept;
  write(newest.key, NOTHING);
  saveDraft(userId, conversation, { text, unsent });
  return { text, unsent };
}

/** Removes every draft from this device, of any user: for signing out. */
export function clearDrafts(): void {
  for (const key of keysUnder(PREFIX)) write(key, NOTHING);
}

/** Removes drafts without a change in 30 days. */
export function clearOldDrafts(): void {
  for (const key of keysUnder(PREFIX)) if ((read(key)?.at ?? 0) < Date.now() - KEPT_MS) write(key, NOTHING);
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

function write(key: string, { text, unsent }: KeptDraft): void {
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ text, unsent, at: Date.now() } satisfies Kept));
  } catch {
    // Storage is full or forbidden: the draft lives as long as the page.
  }
}
