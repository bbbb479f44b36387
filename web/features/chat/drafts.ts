const PREFIX = 'chat.draft.';

/** The draft of a conversation that has no id in the address yet. */
export const NEW_CONVERSATION = 'new';

/** The unsent text kept on this device for a user's conversation; empty when there is none or storage is closed to us. */
export function readDraft(userId: string, conversation: string): string {
  try {
    return localStorage.getItem(key(userId, conversation)) ?? '';
  } catch {
    return '';
  }
}

/** Keeps the unsent text of a conversation on this device; an empty one is removed. */
export function saveDraft(userId: string, conversation: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key(userId, conversation));
    else localStorage.setItem(key(userId, conversation), text);
  } catch {
    // Storage is full or forbidden: the draft lives as long as the page.
  }
}

/** Removes every draft from this device, whoever wrote it: for signing out. */
export function clearDrafts(): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name);
  } catch {
    // Nothing was kept where storage is forbidden.
  }
}

function key(userId: string, conversation: string): string {
  return `${PREFIX}${userId}.${conversation}`;
}
