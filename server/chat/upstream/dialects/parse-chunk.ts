import { UpstreamError } from '../transport/upstream-error.ts';

/** The object in one event of a provider's stream. Throws `UpstreamError` (`parse`) for anything else. */
export function parseChunk(data: string): object {
  let chunk: unknown;
  try {
    chunk = JSON.parse(data);
  } catch {
    throw new UpstreamError('parse', 'an event of the stream is no JSON');
  }
  if (typeof chunk !== 'object' || chunk === null)
    throw new UpstreamError('parse', 'an event of the stream is no object');
  return chunk;
}
