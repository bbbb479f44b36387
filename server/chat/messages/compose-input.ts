import { isDeepStrictEqual } from 'node:util';
import type { SendMessage } from '#contract/chat.ts';
import type { InputPart } from '#contract/message/parts.ts';
import type { Quote, SendOptions } from '#contract/message/quotes.ts';
import type { PricedFile } from '../attachments/quote-turn-files.ts';
import type { MessageInput } from '../message-store/message-parts.ts';

/** What is stored besides the text; null for text alone. */
export function composeInput(
  { options }: SendMessage,
  content: string,
  quote: Quote,
  reads: PricedFile[] | null,
  /** Steps of a browser, where one is driven. */
  steps: number | null,
): MessageInput | null {
  const kept = keepOptions(options);
  const shared = { ...(kept ? { options: kept } : {}), ...(steps === null ? {} : { computer: { steps } }) };
  const isPlain = quote.lines.every(({ kind }) => kind === 'message');
  if (reads === null) return Object.keys(shared).length > 0 || !isPlain ? { ...shared, quote } : null;
  const own = reads.filter(({ isOwn }) => isOwn).map(({ file }) => file);
  const parts: InputPart[] = [
    { kind: 'text', text: content },
    ...own.map(
      ({ id, name, type }): InputPart =>
        type.startsWith('image/') ? { kind: 'image', fileId: id } : { kind: 'file', fileId: id, name, type },
    ),
  ];
  return {
    ...(own.length > 0 ? { parts } : {}),
    ...shared,
    reads: reads.map(({ file, tokens }) => ({ fileId: file.id, tokens, sha256: file.sha256 })),
    quote,
  };
}

/** The options that ask for something; undefined where all are as they are without a word. */
function keepOptions(options: SendOptions = {}): SendOptions | undefined {
  const { search, code, ...others } = options;
  const kept = { ...(search && search !== 'off' ? { search } : {}), ...(code ? { code } : {}), ...others };
  return Object.values(kept).some((value) => value !== undefined) ? kept : undefined;
}

/** Whether a message was sent with these options. */
export function areSameOptions(stored: SendOptions | undefined, sent: SendOptions | undefined): boolean {
  return isDeepStrictEqual(stored, keepOptions(sent));
}
