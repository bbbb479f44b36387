import { writeSync } from 'node:fs';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { FileFault, type Found, type ReadingLimits } from './reading-rules.ts';
import { isEncryptedOffice, recogniseType } from './recognise-type.ts';

/** The program of the child process: the file on standard input, limits as an argument, what was found on descriptor 3. */
const RESULT = 3;
/** As Google counts: a picture, and a page of a PDF whose text is read beside its picture. */
const PICTURE_TOKENS = 1_120;
const PAGE_TOKENS = 560;

const limits = JSON.parse(process.argv[2] ?? '{}') as ReadingLimits;
try {
  sendFound(await read(await readInput(), limits));
} catch (fault) {
  if (!(fault instanceof FileFault)) throw fault;
  send({ fault: fault.code, message: fault.message.slice(0, 500) });
}
process.exit();

async function readInput(): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
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
  return (await import('./read-picture.ts')).readPicture(type, bytes, limits);
}

function tokensOf({ thumbnail, type, pages, text }: Found): number {
  if (thumbnail) return PICTURE_TOKENS;
  return type === 'application/pdf' ? PAGE_TOKENS * (pages ?? 0) : estimateTokens(text);
}

function sendFound(found: Found): void {
  const { text, thumbnail, content, ...rest } = found;
  const parts = [Buffer.from(text.toWellFormed()), thumbnail ?? Buffer.alloc(0), content ?? Buffer.alloc(0)];
  send({ ...rest, tokens: tokensOf(found), lengths: parts.map(({ length }) => length) });
  for (const part of parts) write(part);
}

function send(head: object): void {
  write(Buffer.from(`${JSON.stringify(head)}\n`));
}

function write(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(RESULT, bytes, at);
}
