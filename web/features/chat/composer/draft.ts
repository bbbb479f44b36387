import { useEffect, useState } from 'react';
import { Attachments } from '../files/attachments.ts';
import {
  addToNewDraft,
  adoptDraft,
  clearOldDrafts,
  joinTexts,
  type KeptDraft,
  NEW_CONVERSATION,
  NO_DRAFT,
  readDraft,
  saveDraft,
  whenDraftsAreCleared,
} from './draft-storage.ts';
import { clearFirstQuestion, takeFirstQuestion } from './first-question.ts';

/**
 * Those with a message on its way, or with files that only this page can upload, by user and conversation: who comes back meanwhile has
 * the same one.
 */
const onTheirWay = new Map<string, Draft>();

/** The unsent text and files of one conversation, kept on this device; only the composer redraws when they change. */
export class Draft {
  readonly attachments: Attachments;
  private text: string;
  /** Texts on their way to the server, by message: no longer shown, but kept until they arrived. */
  private readonly sending = new Map<string, string>();
  private touched = false;
  private conversation: string;
  private readonly userId: string;
  private readonly listeners = new Set<() => void>();

  constructor(userId: string, conversation: string) {
    this.userId = userId;
    this.conversation = conversation;
    const { text, files } = readDraft(userId, conversation);
    this.text = text;
    this.attachments = new Attachments(() => this.save());
    this.attachments.subscribe(() => this.register());
    this.attachments.restore(files);
  }

  /** In a new conversation: takes the question that was typed on the home page. Without any text: what a closed tab left. */
  async fill(): Promise<void> {
    const isNew = this.conversation === NEW_CONVERSATION;
    const question = isNew ? takeFirstQuestion(this.userId) : '';
    if (question !== '' && question !== this.text) this.keep(joinTexts(question, this.text));
    if (!this.isEmpty()) return;
    const { text, files } = await adoptDraft(this.userId, this.conversation, () => this.isEmpty());
    if (text !== '') this.change(text);
    this.attachments.restore(files);
  }

  private isEmpty(): boolean {
    return !this.touched && this.text === '' && this.attachments.read().length === 0;
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
    clearFirstQuestion();
    this.keep(text);
  }

  /** Text and files are being sent: others can be written and added meanwhile. */
  beginSending(messageId: string): void {
    this.sending.set(messageId, this.text);
    this.attachments.beginSending(messageId);
    this.write('');
  }

  /** It was sent, or it comes back, before what was written meanwhile; false where it was not on its way from here. */
  endSending(messageId: string, isSent: boolean): boolean {
    const text = this.sending.get(messageId);
    if (text === undefined) return false;
    this.sending.delete(messageId);
    this.attachments.endSending(messageId, isSent);
    if (isSent) this.save();
    else this.putBefore(text);
    return true;
  }

  /** Puts a text before the one that is there. */
  putBefore(text: string): void {
    this.write(joinTexts(text, this.text));
    this.save();
  }

  /** Goes on under another conversation: a new one has got its address. */
  moveTo(conversation: string): void {
    if (conversation === this.conversation) return;
    saveDraft(this.userId, this.conversation, NO_DRAFT);
    this.unregister();
    this.conversation = conversation;
    this.register();
    this.save();
  }

  /** Gives up what is on its way, and forgets the rest. */
  clear(): void {
    this.sending.clear();
    this.text = '';
    this.attachments.clear();
  }

  private get key(): string {
    return keyOf(this.userId, this.conversation);
  }

  /** Keeps this one for who comes back, as long as something of it is on its way. */
  private register(): void {
    if (this.sending.size > 0 || this.attachments.hasBytes()) onTheirWay.set(this.key, this);
    else this.unregister();
  }

  private unregister(): void {
    if (onTheirWay.get(this.key) === this) onTheirWay.delete(this.key);
  }

  private keep(text: string): void {
    this.change(text);
    this.save();
  }

  private save(): void {
    const text = [...this.sending.values(), this.text].reduce(joinTexts);
    saveDraft(this.userId, this.conversation, { text, files: this.attachments.kept() });
  }

  private change(text: string): void {
    this.text = text;
    for (const listener of this.listeners) listener();
  }
}

/** Puts texts and files that come back before what is unsent in a new conversation that is not on screen. */
export function giveToNewDraft(userId: string, kept: KeptDraft): void {
  const draft = onTheirWay.get(keyOf(userId, NEW_CONVERSATION));
  if (draft) {
    draft.putBefore(kept.text);
    draft.attachments.restore(kept.files);
  } else addToNewDraft(userId, kept);
}

whenDraftsAreCleared(() => {
  for (const draft of onTheirWay.values()) draft.clear();
});

function keyOf(userId: string, conversation: string): string {
  return `${userId} ${conversation}`;
}

/** The unsent text of the conversation on screen; it goes along when a new conversation gets its address. */
export function useDraft(userId: string, conversationId: string, isNew: boolean): Draft {
  const place = isNew ? NEW_CONVERSATION : conversationId;
  const [draft] = useState(() => onTheirWay.get(keyOf(userId, place)) ?? new Draft(userId, place));
  useEffect(() => {
    clearOldDrafts();
    void draft.fill();
  }, [draft]);
  useEffect(() => draft.moveTo(place), [draft, place]);
  return draft;
}
