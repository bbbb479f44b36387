import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import type { Quote, SendOptions } from '#contract/message/quotes.ts';
import type { TextKey } from '#web/lib/translate.ts';
import { optionsFor } from './answer-options.ts';
import type { Extras } from './use-quote.ts';

type Line = Quote['lines'][number];

const MAY_BE_LESS: ReadonlySet<Line['kind']> = new Set(['search', 'picture', 'computer']);

/** Whether an answer may be charged less than these lines hold: files and the message itself cost what they are quoted at. */
export function mayBeLess(lines: readonly Line[]): boolean {
  return lines.some(({ kind }) => MAY_BE_LESS.has(kind));
}

/** How a price is said that these lines make: as the most, where it may be less. */
export function priceKey(lines: readonly Line[]): TextKey {
  return mayBeLess(lines) ? 'quote.most' : 'chat.charged';
}

/** What a model can do of what the message did, with what that costs: the lines of the price by which the same is asked again. */
function linesAgain(message: Message, model: CatalogueModel): Line[] {
  const { quote } = message;
  const { picture, search, computer } = optionsAgain(message, model) ?? {};
  const max = model.pictures ? (model.pictures.prices[picture?.size ?? '1K'] ?? 0) : (model.cost ?? 0);
  const extras = quote.lines.filter(
    ({ kind }) => kind === 'files' || (kind === 'search' && search !== undefined),
  );
  // The price of the message covers the first steps of a browser.
  const times = computer && model.coveredSteps ? computer.steps / model.coveredSteps - 1 : 0;
  const steps: Line[] = times > 0 ? [{ kind: 'computer', max: times * max, params: {} }] : [];
  return [{ kind: 'message', max, params: {} }, ...extras, ...steps];
}

/** What a model is to do of what the message did. A browser searches by itself: its message was quoted without a search, and is again. */
function optionsAgain({ options = {}, computer }: Message, model: CatalogueModel): SendOptions | undefined {
  const { search, ...others } = options;
  const isDriven = computer === 'browser' || model.computer === 'browser';
  return optionsFor(model, isDriven || search === undefined ? others : { ...others, search });
}

/** Credits that the same question costs at most, asked of a model; null for one that cannot be asked. */
export function priceAgain(message: Message, model: CatalogueModel | undefined): number | null {
  if (!model || model.cost === null) return null;
  return linesAgain(message, model).reduce((sum, line) => sum + line.max, 0);
}

/** Whether some of that may come back. */
export function mayCostLess(message: Message, model: CatalogueModel): boolean {
  return mayBeLess(linesAgain(message, model));
}

/** What a message carried besides its text, to ask a model the same again. */
export function extrasOf(message: Message, model: CatalogueModel): Extras {
  const { inputParts = [] } = message;
  const files = inputParts.flatMap((part) => (part.kind === 'text' ? [] : [part.fileId]));
  return bare(files, optionsAgain(message, model));
}

/** What the next message does of what a message did: the files that are read again are known to the server. */
export function extrasToGoOn({ options = {} }: Message, model: CatalogueModel | undefined): Extras {
  return bare([], optionsFor(model, options));
}

/** Files and options without what is empty, so that a message of text alone is sent as one. */
export function bare(files: readonly string[], options: Extras['options']): Extras {
  return { ...(files.length > 0 ? { files } : {}), ...(options ? { options } : {}) };
}
