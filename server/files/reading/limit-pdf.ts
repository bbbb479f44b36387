import { constants, inflateSync } from 'node:zlib';
import { FileFault } from './reading-rules.ts';

const MB = 1_048_576;
/** What one stream, and all together, may inflate to: pdfjs holds a stream as a whole. */
const MAX_STREAM = 32 * MB;
const MAX_TOTAL = 256 * MB;
/** A shorter one cannot inflate beyond 4 MB. */
const MIN_LENGTH = 4_096;
const DICTIONARY = 2_048;
/** Pictures and files inside are not unpacked for the text; a white scan is as small as a bomb. */
const NOT_READ = /\/Subtype\s*\/Image\b|\/Type\s*\/EmbeddedFile\b/;

/**
 * Refuses flate bombs before pdfjs opens the file: each stream that it may read is inflated once, its result thrown away. Throws
 * `file_too_complex`. What is hidden from this (other filters) ends at the memory limit of the process.
 */
export function limitPdf(bytes: Buffer): void {
  let total = 0;
  for (let at = bytes.indexOf('stream'); at !== -1; at = bytes.indexOf('stream', at)) {
    const from = bytes[at + 6] === 13 ? at + 8 : at + 7;
    const end = bytes.indexOf('endstream', from);
    const to = end === -1 ? bytes.length : end;
    if (to - from >= MIN_LENGTH)
      total += inflatedLength(dictionaryBefore(bytes, at), bytes.subarray(from, to));
    if (total > MAX_TOTAL) throw new FileFault('file_too_complex', 'the PDF inflates to too much');
    at = to + 9;
  }
}

function dictionaryBefore(bytes: Buffer, at: number): string {
  const text = bytes.toString('latin1', Math.max(0, at - DICTIONARY), at);
  return text.slice(text.lastIndexOf(' obj') + 1);
}

/** A stream may be packed several times over. */
function inflatedLength(dictionary: string, packed: Buffer): number {
  const filters = dictionary.match(/\/(FlateDecode|Fl)\b/g)?.length ?? 0;
  if (!filters || NOT_READ.test(dictionary)) return 0;
  let bytes = packed;
  let sum = 0;
  for (let filter = 0; filter < Math.min(filters, 4); filter += 1) {
    bytes = inflateOnce(bytes);
    sum += bytes.length;
  }
  return sum;
}

function inflateOnce(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_STREAM, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (fault) {
    if (fault instanceof RangeError)
      throw new FileFault('file_too_complex', 'a stream inflates as a bomb does');
    return Buffer.alloc(0);
  }
}
