import { AppError } from '#server/errors.ts';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, OPEN_OBJECT, CLOSE_ARRAY, CLOSE_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d];
const MAX_DEPTH = 64;

/**
 * Throws `json_too_complex` where JSON text has more than `maxNodes` values, or more than 64 levels. It only counts brackets and
 * commas outside strings and stops early, so it costs little for any bytes; what is no JSON is left to the parser.
 */
export function boundJson(bytes: Uint8Array, maxNodes: number): void {
  let nodes = 1;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at + 1);
    else if (byte === COMMA) nodes += 1;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      nodes += 1;
      depth += 1;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    if (nodes > maxNodes || depth > MAX_DEPTH) throw new AppError('json_too_complex');
  }
}

/** Where the quote is that ends the string with its first character `at`; the end of the text where none does. */
function endOfString(bytes: Uint8Array, at: number): number {
  let end = at;
  while (end < bytes.length && bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
  return end;
}
