import type { DraftFile } from '../files/attachments.ts';
import { liveTabs, tabId } from './tab-id.ts';

const PREFIX = 'chat.draft.';
const DRAFT_KEPT_MS = 30 * 24 * 3600 * 1000;
/** A tab that is loaded anew looks closed meanwhile; so long it finds what another one took over. */
const RELOAD_MS = 60_000;

/** The draft of a conversation that has no id in the address yet. */
export const NEW_CONVERSATION = 'new';

/** What is not sent yet: a text, and the files that go with it. */
export interface KeptDraft {
  text: string;
  files: readonly DraftFile[];
}

interface Kept {
  text: string;
  at: number;
  files?: readonly DraftFile[];
  /** When another tab took it over. */
  adoptedAt?: number;
}

export const NO_DRAFT: KeptDraft = { text: '', files: [] };

/** What this tab keeps unsent on this device for a user's conversation; nothing when there is none or storage is closed to us. */
export function readDraft(userId: string, conversation: string): KeptDraft {
  return draftIn(read(keyOf(userId, conversation, tabId())));
}

/** Keeps what is unsent in a conversation on this device, apart from those of other tabs; an empty one is removed. */
export function saveDraft(userId: string, conversation: string, draft: KeptDraft): void {
  write(keyOf(userId, conversation, tabId()), draft);
}

function draftIn(kept: Kept | null): KeptDraft {
  return kept && isKept(kept) ? { text: kept.text, files: kept.files ?? [] } : NO_DRAFT;
}

/** Two texts as one, each a paragraph of its own. */
export function joinTexts(first: string, second: string): string {
  return [first, second].filter((text) => text.trim() !== '').join('\n\n');
}

/**
 * Takes over what is unsent in a conversation whose tab was closed, the newest; nothing when there is none, or once it is not wanted any
 * more (`isWanted`).
 */
export async function adoptDraft(
  userId: string,
  conversation: string,
  isWanted: () => boolean,
): Promise<KeptDraft> {
  const start = keyOf(userId, conversation, '');
  // Each question on screen asks, and hardly one was edited.
  if (keysUnder(start).length === 0) return NO_DRAFT;
  const live = await liveTabs();
  if (!isWanted()) return NO_DRAFT;
  const orphans = keysUnder(start)
    .filter((key) => !live.has(key.slice(key.lastIndexOf('.') + 1)))
    .map((key) => ({ key, kept: read(key) }))
    .filter(({ kept }) => kept !== null && !kept.adoptedAt && isKept(kept));
  const newest = orphans.toSorted((a, b) => (b.kept?.at ?? 0) - (a.kept?.at ?? 0))[0];
  if (!newest?.kept) return NO_DRAFT;
  const draft = draftIn(newest.kept);
  write(newest.key, draft, Date.now());
  saveDraft(userId, conversation, draft);
  return draft;
}

/** Puts a text and files before what this tab keeps unsent in a new conversation that is not on screen. */
export function addToNewDraft(userId: string, { text, files }: KeptDraft): void {
  const known = readDraft(userId, NEW_CONVERSATION);
  saveDraft(userId, NEW_CONVERSATION, {
    text: joinTexts(text, known.text),
    files: [...files, ...known.files],
  });
}

/** Questions that are being edited, by message: what is typed there is kept as drafts are. */
export interface Edits {
  has(messageId: string): boolean;
  get(messageId: string): string | undefined;
  set(messageId: string, text: string): void;
  delete(messageId: string): void;
  /** Takes over what was typed in a tab that was closed; true where there is something. */
  adopt(messageId: string): Promise<boolean>;
}

/** The edits of a user: as long as the page lives, and after a reload where this device may keep them. */
export function editsOf(userId: string): Edits {
  const typed = new Map<string, string>();
  const placeOf = (messageId: string) => `edit.${messageId}`;
  const get = (messageId: string) =>
    typed.get(messageId) ?? (readDraft(userId, placeOf(messageId)).text || undefined);
  const set = (messageId: string, text: string) => saveDraft(userId, placeOf(messageId), { text, files: [] });
  return {
    get,
    has: (messageId) => get(messageId) !== undefined,
    set(messageId, text) {
      typed.set(messageId, text);
      set(messageId, text);
    },
    delete(messageId) {
      typed.delete(messageId);
      set(messageId, '');
    },
    async adopt(messageId) {
      const isWanted = () => get(messageId) === undefined;
      const { text } = await adoptDraft(userId, placeOf(messageId), isWanted);
      if (text !== '') typed.set(messageId, text);
      return text !== '';
    },
  };
}

const held = new Set<() => void>();

/** Has `giveUp` called where every draft is removed: by what holds more of some than is stored. */
export function whenDraftsAreCleared(giveUp: () => void): void {
  held.add(giveUp);
}

/** Removes every draft from this device, of any user: for signing out. */
export function clearDrafts(): void {
  for (const giveUp of held) giveUp();
  for (const key of keysUnder(PREFIX)) write(key, NO_DRAFT);
}

/** Removes drafts without a change in 30 days, and what other tabs took over. */
export function clearOldDrafts(): void {
  for (const key of keysUnder(PREFIX)) if (!isKept(read(key))) write(key, NO_DRAFT);
}

function isKept(kept: Kept | null): boolean {
  if (kept?.adoptedAt) return kept.adoptedAt > Date.now() - RELOAD_MS;
  return kept !== null && kept.at > Date.now() - DRAFT_KEPT_MS;
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

function write(key: string, { text, files }: KeptDraft, adoptedAt?: number): void {
  const kept: Kept = {
    text,
    at: Date.now(),
    ...(files.length > 0 ? { files } : {}),
    ...(adoptedAt ? { adoptedAt } : {}),
  };
  try {
    if (text === '' && files.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // Storage is full or forbidden: the draft lives as long as the page.
  }
}
