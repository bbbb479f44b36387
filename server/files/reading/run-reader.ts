import { FileFault, type Found, type ReadingLimits } from './reading-rules.ts';
import { isEncryptedOffice, recogniseType } from './recognise-type.ts';
import { sendFault, sendResult } from './send-result.ts';
import type { ReaderTask } from './start-reader.ts';

// The program of the child process: the file on standard input, its task and limits as arguments.
const [task, limits] = [process.argv[2] as ReaderTask, JSON.parse(process.argv[3] ?? '{}') as ReadingLimits];
try {
  const bytes = await readInput();
  sendResult(await carryOut(bytes));
} catch (fault) {
  if (!(fault instanceof FileFault)) throw fault;
  sendFault(fault);
}
process.exit();

async function readInput(): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function carryOut(bytes: Buffer): Promise<Found> {
  if (task === 'convert') return (await import('./read-picture.ts')).convertPicture(bytes, limits);
  if (task === 'square') return (await import('./read-picture.ts')).squarePicture(bytes, limits);
  return read(bytes, limits);
}

async function read(bytes: Buffer, limits: ReadingLimits): Promise<Found> {
  const type = recogniseType(bytes);
  if (type === 'unsupported') throw new FileFault('file_type_unsupported');
  if (type === 'ole')
    throw new FileFault(isEncryptedOffice(bytes) ? 'file_encrypted' : 'file_type_unsupported');
  // Each reader is loaded for its files alone: the child lives for one.
  if (type === 'text') return (await import('./read-text.ts')).readText(bytes, limits);
  if (type === 'zip') return (await import('./read-archive.ts')).readArchive(bytes, limits);
  if (type === 'application/pdf') return (await import('./read-pdf.ts')).readPdf(bytes, limits);
  const keepsPlace = task === 'read-with-place';
  return (await import('./read-picture.ts')).readPicture(type, bytes, { limits, keepsPlace });
}
