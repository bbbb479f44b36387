import { useEffect, useState } from 'react';
import type { SendMessage } from '#contract/chat.ts';
import { adoptDraft, clearOldDrafts, NEW_CONVERSATION, readDraft, saveDraft } from './drafts.ts';

/** The unsent text of one conversation, kept on this device; only the composer redraws when it changes. */
export class Draft {
  private text: string;
  private message: SendMessage | null;
  private touched = false;
  private conversation: string;
  private readonly userId: string;
  private readonly listeners = new Set<() => void>();

  constructor(userId: string, conversation: string) {
    this.userId = userId;
    this.conversation = conversation;
    const { text, unsent } = readDraft(userId, conversation);
    this.text = text;
    this.message = unsent;
  }

  /** Takes over what was left by a tab that is closed, unless there is a text already. */
  async adopt(): Promise<void> {
    if (this.touched || this.text !== '') return;
    const { text, unsent } = await adoptDraft(this.userId, this.conversation);
    if (text === '' || this.touched) return;
    this.message = unsent;
    this.change(text);
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly read = (): string => this.text;

  /** The message that was made of this text, and whose fate is unknown; null for most. */
  unsent(): SendMessage | null {
    return this.message;
  }

  keepUnsent(message: SendMessage | null): void {
    this.message = message;
    this.save();
  }

  write(text: string): void {
    this.touched = true;
    if (text === this.text) return;
    this.change(text);
    this.save();
  }

  /** Goes on under another conversation: a new one has got its address. */
  moveTo(conversation: string): void {
    if (conversation === this.conversation) return;
    saveDraft(this.userId, this.conversation, { text: '', unsent: null });
    this.conversation = conversation;
    this.save();
  }

  private save(): void {
    saveDraft(this.userId, this.conversation, { text: this.text, unsent: this.message });
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
