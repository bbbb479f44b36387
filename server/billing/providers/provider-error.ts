import { stripVTControlCharacters } from 'node:util';
import type { Provider } from '#contract/choices.ts';
import { cleanText } from '#server/platform/clean-text.ts';

/**
 * `refused`: the provider says no to this request. `unavailable`: no connection, 5xx, too many requests. `misconfigured`: our
 * key is not accepted, only the operator mends it. `malformed`: an answer that is none.
 */
export type ProviderErrorKind = 'refused' | 'unavailable' | 'timeout' | 'misconfigured' | 'malformed';

const MAX_MESSAGE = 200;
// What a user must never see: keys, tokens and links that sign in.
const SECRETS = /\b(creem|bagel|whsec|sk|pk)_[\w-]{4,}|https?:\/\/\S+/gi;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

/** A call of a provider that failed. `message` is one line of at most 200 characters that may be shown to the user. */
export class ProviderError extends Error {
  readonly provider: Provider;
  readonly kind: ProviderErrorKind;
  /** The HTTP status, or the `code` that took its place; null when there was no answer. */
  readonly status: number | null;

  constructor(
    provider: Provider,
    kind: ProviderErrorKind,
    status: number | null,
    message: string,
    options?: ErrorOptions,
  ) {
    super(cleanMessage(message) || kind, options);
    this.name = 'ProviderError';
    this.provider = provider;
    this.kind = kind;
    this.status = status;
  }
}

function cleanMessage(message: string): string {
  const line = cleanText(stripVTControlCharacters(message.slice(0, 2_000)))
    .replace(SECRETS, '…')
    .replace(CONTROLS, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE - 1).toWellFormed()}…` : line;
}

/** The answer of a question, or null where the provider knows no such thing (404). */
export async function orMissing<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderError && error.status === 404) return null;
    throw error;
  }
}
