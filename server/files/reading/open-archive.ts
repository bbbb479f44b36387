import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { MEGABYTE } from '#contract/limits.ts';
import { FileFault, type ReadingLimits } from './reading-rules.ts';
import { sendProgress } from './send-result.ts';

/** Honest XML inflates to 5 to 40 times its length; deflate can do 1,032. */
const MAX_RATIO = 200;
const RATIO_FROM = 4_194_304;
/** Bytes after which the reader says that it goes on. */
const PROGRESS = MEGABYTE;

/** The parts of a ZIP. */
export interface Archive {
  has(name: string): boolean;
  names(): IterableIterator<string>;
  /**
   * The bytes of a part, inflated, piece by piece; throws `file_unreadable` where it is missing or broken, `file_encrypted`, and
   * `file_too_complex` where all that was read of the archive is beyond `limits.inflated`, or inflates as only a bomb does.
   */
  read(name: string): AsyncGenerator<Buffer, void>;
}

/**
 * Opens a ZIP in memory. Nothing is inflated before it is read, and what inflates to more than its entry says ends there. Throws
 * `file_unreadable`, or `file_too_complex` (entries that overlap, or too many).
 */
export async function openArchive(bytes: Buffer, limits: ReadingLimits): Promise<Archive> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false }).catch((fault) => {
    throw unreadable(fault);
  });
  if (zip.entryCount > limits.entries) throw new FileFault('file_too_complex', 'too many entries');
  const entries = await listEntries(zip, bytes.length);
  const budget = { left: limits.inflated };
  return {
    has: (name) => entries.has(name),
    names: () => entries.keys(),
    async *read(name) {
      const entry = entries.get(name);
      if (!entry) throw new FileFault('file_unreadable', `${name} is missing`);
      if (entry.isEncrypted()) throw new FileFault('file_encrypted', `${name} is encrypted`);
      yield* inflate(zip, entry, budget);
    },
  };
}

/** Entries by name. They may not overlap, so that together they are no longer than the file. */
function listEntries(zip: ZipFile, length: number): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let sum = 0;
  return new Promise((resolve, reject) => {
    zip.on('error', (fault) => reject(unreadable(fault)));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      sum += entry.compressedSize;
      if (sum > length) return reject(new FileFault('file_too_complex', 'entries overlap'));
      // The first of a name counts.
      if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

async function* inflate(zip: ZipFile, entry: Entry, budget: { left: number }): AsyncGenerator<Buffer, void> {
  let length = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const piece of stream as AsyncIterable<Buffer>) {
      length += piece.length;
      budget.left -= piece.length;
      if (length % PROGRESS < piece.length) sendProgress();
      if (budget.left < 0) throw new FileFault('file_too_complex', `${entry.fileName} inflates to too much`);
      if (length > RATIO_FROM && length > entry.compressedSize * MAX_RATIO)
        throw new FileFault('file_too_complex', `${entry.fileName} inflates as a bomb does`);
      yield piece;
    }
  } catch (fault) {
    throw unreadable(fault);
  }
}

function unreadable(fault: unknown): unknown {
  if (fault instanceof FileFault) return fault;
  const message = fault instanceof Error ? fault.message : String(fault);
  return new FileFault('file_unreadable', message, { cause: fault });
}
