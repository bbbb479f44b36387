import { useCallback, useMemo, useState } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import type { Draft } from '../composer/draft.ts';
import { type AttachmentsSummary, useAttachmentsSummary } from '../files/use-attachments.ts';
import type { Turn } from '../messages/thread.ts';
import { type ChosenOptions, optionsFor, useAnswerOptions } from '../quote/answer-options.ts';
import { bare } from '../quote/extra-cost.ts';
import { type Extras, type ShownQuote, useQuote } from '../quote/use-quote.ts';

/** What the message being written carries besides its text, and what it may cost. */
export interface Outgoing {
  files: AttachmentsSummary;
  /** What the answer may do. */
  options: ChosenOptions;
  /** What of that goes to the server. */
  extras: Extras;
  quote: ShownQuote;
  conversationId: string;
  /** There are pictures in the turns above, and the model sees none. */
  isUnseeing: boolean;
  /** Only the server knows the price of a next message, even of a text alone. */
  isAsked: boolean;
  /** The server's price was another than the one shown: it is asked from now on. */
  onQuoteChanged: () => void;
}

interface OutgoingInput {
  conversationId: string;
  turns: readonly Turn[];
  pending: Message | null;
  model: CatalogueModel | undefined;
  draft: Draft;
}

/** Follows what the message being written carries, and its price. */
export function useOutgoing({ conversationId, turns, pending, model, draft }: OutgoingInput): Outgoing {
  const last = turns.at(-1)?.message;
  const options = useAnswerOptions(conversationId, last?.options);
  const files = useAttachmentsSummary(draft.attachments);
  const { chosen } = options;
  const extras = useMemo(() => bare(files.ids, optionsFor(model, chosen)), [files.ids, model, chosen]);
  const [hasChanged, setChanged] = useState(false);
  const onQuoteChanged = useCallback(() => setChanged(true), []);
  const isBegun = last !== undefined && last !== pending;
  const isBlind = model !== undefined && !model.readsImages;
  const isUnseeing = isBlind && turns.some(({ message }) => isPictured(message));
  const isAsked = hasChanged || turns.some(({ message }) => hasFiles(message));
  const quote = useQuote({
    conversationId: isBegun ? conversationId : null,
    parentId: isBegun ? last.id : null,
    model,
    extras,
    isAsked,
    isUnread: files.state === 'busy',
  });
  return useMemo(
    () => ({ files, options, extras, quote, conversationId, isUnseeing, isAsked, onQuoteChanged }),
    [files, options, extras, quote, conversationId, isUnseeing, isAsked, onQuoteChanged],
  );
}

/** Whether the message gave the model files to read, which may be read again in each turn. */
function hasFiles({ inputParts = [], quote }: Message): boolean {
  return inputParts.some(({ kind }) => kind !== 'text') || quote.lines.some(({ kind }) => kind === 'files');
}

/** Whether the message came with pictures, or its answer has some. */
function isPictured({ inputParts = [], parts = [] }: Message): boolean {
  return [...inputParts, ...parts].some(({ kind }) => kind === 'image');
}
