import { LANGUAGE_PATTERN } from '#contract/choices.ts';

const KEY = 'chat.place';
const CHAT = new RegExp(`^/(${LANGUAGE_PATTERN})/chat(/[\\w-]+)?$`);

/** Keeps where in the chat this tab is, so that a purchase leads back to the same conversation and its draft. */
export function keepChatPlace(path: string): void {
  try {
    sessionStorage.setItem(KEY, path);
  } catch {
    // Storage is forbidden: the way back leads to a new conversation.
  }
}

/** The path of the chat that this tab was at last; null when it was at none. */
export function readChatPlace(): string | null {
  try {
    const path = sessionStorage.getItem(KEY);
    return path && CHAT.test(path) ? path : null;
  } catch {
    return null;
  }
}

/** For signing out: the next user must not see the conversation. */
export function clearChatPlace(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept where storage is forbidden.
  }
}
