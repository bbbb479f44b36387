import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import { UpstreamError } from './upstream-error.ts';

/** Most characters of an event. A larger one than any provider's is an attack or a fault. */
export const MAX_EVENT = 1024 * 1024;

/**
 * Reads server-sent events (HTML Living Standard, 9.2.6) from bytes that are cut anywhere. The result takes the next bytes and
 * calls `onData` with the data of each event that they complete, in order. It throws `parse` when an event grows beyond
 * `largest` characters.
 */
export function createSseReader(
  onData: (data: string) => void,
  largest: number = MAX_EVENT,
): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  const parser = createParser({
    maxBufferSize: largest,
    onEvent: ({ data }) => onData(data),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') {
        throw new UpstreamError('parse', 'an event of the stream is larger than any provider’s');
      }
    },
  });
  return (chunk) => parser.feed(decoder.write(chunk));
}
