import { useEffect, useState } from 'react';
import { adoptDraft, clearOldDrafts, NEW_CONVERSATION, readDraft, saveDraft } from './drafts.ts';

/** The unsent text of one conversation, kept on this device; only the composer redraws when it changes. */
export class Draft {
  private text: string;
  private touched = false;
  private conversation: string;
  private readonly userId: string;
  private readonly listeners = new Set<() => void>();

  constructor(userId: string, conversation: string) {
    this.userId = userId;
    this.conversation = conversation;
    this.text = readDraft(userId, conversation);
  }

  /** Takes over what was left by a tab that is closed, unless there is a text already. */
  async adopt(): Promise<void> {
    if (this.touched || this.text !== '') return;
    const text = await adoptDraft(this.userId, this.conversation);
    if (text !== '' && !this.touched) this.change(text);
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly read = (): string => this.text;

  write(text: string): void {
    this.touched = true;
    if (text === this.text) return;
    this.change(text);
    saveDraft(this.userId, this.conversation, text);
  }

  /** Goes on under another conversation: a new one has got its address. */
  moveTo(conversation: string): void {
    if (conversation === this.conversation) return;
    saveDraft(this.userId, this.conversation, '');
    this.conversation = conversation;
    saveDraft(this.userId, conversation, this.text);
  }

  private change(text: string): void {
    this.text = text;
    for (const listener of this.listeners) listener();
  }
}

/** The unsent text of the conversation on screen; it goes along when a new conversation gets its address. */
export function useDraft(userId: string, conversationId: string, isNew: boolean): Draft {
  const place = isNew ? NEW_CONVERSATION : conversationId;
  const [draft] = useState(() => new Draft(userId, place));
  useEffect(() => {
    clearOldDrafts();
    void draft.adopt();
  }, [draft]);
  useEffect(() => draft.moveTo(place), [draft, place]);
  return draft;
}
