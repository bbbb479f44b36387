import { StringDecoder } from 'node:string_decoder';
import { MAX_LINE } from './protocol.ts';

/**
 * Calls back with each line of a stream as it is complete, from the pieces that the returned function is given.
 * A line beyond the limit throws.
 */
export function readLines(onLine: (line: string) => void): (piece: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  let length = 0;
  return (piece) => {
    let text = decoder.write(piece);
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const line = [...pieces, text.slice(0, end)].join('');
      pieces = [];
      length = 0;
      text = text.slice(end + 1);
      if (line !== '') onLine(line);
    }
    pieces.push(text);
    length += text.length;
    if (length > MAX_LINE) throw new Error('a line is longer than the protocol allows');
  };
}
