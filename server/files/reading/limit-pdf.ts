import { constants, createInflate, type Inflate } from 'node:zlib';
import { FileFault } from './reading-rules.ts';

const MB = 1_048_576;
/** What one stream, and all together, may inflate to: pdfjs holds a stream as a whole. */
const MAX_STREAM = 32 * MB;
const MAX_TOTAL = 256 * MB;
/** A shorter one that is packed once cannot inflate beyond 4 MB. */
const MIN_LENGTH = 4_096;
const MAX_FILTERS = 4;
const DICTIONARY = 2_048;
/** Pictures and files inside are not unpacked for the text; a white scan is as small as a bomb. */
const NOT_READ = /\/Subtype\s*\/Image\b|\/Type\s*\/EmbeddedFile\b/;

/**
 * Refuses flate bombs before pdfjs opens the file: each stream that it may read is inflated once, its result thrown away. Throws
 * `file_too_complex`. What is hidden from this (other filters) ends at the limits of the process.
 */
export async function limitPdf(bytes: Buffer): Promise<void> {
  let total = 0;
  for (let at = bytes.indexOf('stream'); at !== -1; at = bytes.indexOf('stream', at)) {
    const from = bytes[at + 6] === 13 ? at + 8 : at + 7;
    const end = bytes.indexOf('endstream', from);
    const to = end === -1 ? bytes.length : end;
    const filters = countFilters(dictionaryBefore(bytes, at));
    if (filters > 1 || (filters === 1 && to - from >= MIN_LENGTH))
      total += await inflatedLength(bytes.subarray(from, to), filters);
    if (total > MAX_TOTAL) throw new FileFault('file_too_complex', 'the PDF inflates to too much');
    at = to + 9;
  }
}

function dictionaryBefore(bytes: Buffer, at: number): string {
  const text = bytes.toString('latin1', Math.max(0, at - DICTIONARY), at);
  return text.slice(text.lastIndexOf(' obj') + 1);
}

/** How often a stream is packed by flate; 0 where it is not, or not read. */
function countFilters(dictionary: string): number {
  if (NOT_READ.test(dictionary)) return 0;
  const filters = dictionary.match(/\/(FlateDecode|Fl)\b/g)?.length ?? 0;
  if (filters > MAX_FILTERS) throw new FileFault('file_too_complex', 'a stream is packed too often');
  return filters;
}

async function inflatedLength(packed: Buffer, filters: number): Promise<number> {
  const stages = Array.from({ length: filters }, () =>
    createInflate({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 65_536 }),
  );
  let length = 0;
  const last = stages.reduce((from: Inflate, to) => {
    from.on('error', (fault) => to.destroy(fault));
    return from.pipe(to);
  });
  stages[0]?.end(packed);
  try {
    for await (const piece of last as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > MAX_STREAM) throw new FileFault('file_too_complex', 'a stream inflates as a bomb does');
    }
  } catch (fault) {
    // What is broken is for pdfjs to judge.
    if (fault instanceof FileFault) throw fault;
  } finally {
    for (const stage of stages) stage.destroy();
  }
  return length;
}
