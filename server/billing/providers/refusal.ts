import type { Provider } from '#contract/choices.ts';
import type { Fields } from './fields.ts';
import { ProviderError, type ProviderErrorKind } from './provider-error.ts';

function kindOf(status: number): ProviderErrorKind {
  if (status === 401 || status === 403) return 'misconfigured';
  if (status === 408) return 'timeout';
  if (status === 429 || status >= 500) return 'unavailable';
  return status >= 400 ? 'refused' : 'malformed';
}

/** Creem says `message: string[]` or `error`, BagelPay `msg`. */
function messageOf(body: Fields): string | null {
  const list = body.raw('message');
  const joined = Array.isArray(list) ? list.filter((each) => typeof each === 'string').join('; ') : null;
  return joined || body.text('message') || body.text('msg') || body.text('error');
}

/** The provider that a call goes to. */
export interface CalledProvider {
  provider: Provider;
  /** Called for each answer that refuses our key. */
  onKeyRefused?: () => void;
}

/**
 * The error for an answer that says no, by its HTTP status or by the code that took its place. Calls `onKeyRefused` where our key is
 * refused.
 */
export function statusError(
  { provider, onKeyRefused }: CalledProvider,
  status: number,
  body: Fields,
): ProviderError {
  const kind = kindOf(status);
  if (kind === 'misconfigured') onKeyRefused?.();
  return new ProviderError(provider, kind, status, messageOf(body) ?? `HTTP ${status}`);
}

/** The error for whatever a call threw: late, no connection, too long, broken off. */
export function providerErrorOf(provider: Provider, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError' || name === 'AbortError')
    return new ProviderError(provider, 'timeout', null, 'the provider did not answer in time', {
      cause: error,
    });
  if (error instanceof RangeError)
    return new ProviderError(provider, 'malformed', null, 'the answer is too long', { cause: error });
  return new ProviderError(provider, 'unavailable', null, 'the provider cannot be reached', { cause: error });
}
