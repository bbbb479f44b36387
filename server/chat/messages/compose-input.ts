import type { SendMessage } from '#contract/chat.ts';
import type { InputPart } from '#contract/message/parts.ts';
import type { Quote } from '#contract/message/quotes.ts';
import type { ReadFile } from '../attachments/read-turn-files.ts';
import type { MessageInput } from '../tree/message-parts.ts';
import { isSearching } from './quote-message.ts';

/** What is stored besides the text; null for text alone. */
export function composeInput(
  { options }: SendMessage,
  content: string,
  quote: Quote,
  reads: ReadFile[] | null,
): MessageInput | null {
  const searches = options && isSearching(options) ? { options } : {};
  if (reads === null) return 'options' in searches ? { ...searches, quote } : null;
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
    ...searches,
    reads: reads.map(({ file, tokens }) => ({ fileId: file.id, tokens })),
    quote,
  };
}
