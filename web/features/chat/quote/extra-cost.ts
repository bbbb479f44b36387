import type { Message } from '#contract/chat.ts';
import type { SearchMode } from './search-mode.ts';
import { type Extras, isSearching } from './use-quote.ts';

/** Credits that a message was quoted beyond its model: what the same question adds to the price of any model. */
export function extraCost({ quote }: Message): number {
  return quote.lines.reduce((sum, { kind, max }) => (kind === 'message' ? sum : sum + max), 0);
}

/** What a message carried besides its text, to ask the same again; it searches as the conversation does now. */
export function extrasOf(message: Message, mode: SearchMode): Extras {
  const files = (message.inputParts ?? []).flatMap((part) => (part.kind === 'text' ? [] : [part.fileId]));
  const searched = message.quote.lines.some(({ kind }) => kind === 'search');
  return bare({
    files,
    ...(searched ? { options: { search: mode === 'off' ? ('auto' as const) : mode } } : {}),
  });
}

/** Without what is empty, so that a message of text alone is sent as one. */
export function bare({ files = [], options }: Extras): Extras {
  return {
    ...(files.length > 0 ? { files } : {}),
    ...(options && isSearching(options) ? { options } : {}),
  };
}
