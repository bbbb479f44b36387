import { open, stat } from 'node:fs/promises';
import { z } from 'zod';
import { FileFault, READING_LIMITS, type ReadingResult } from './reading-rules.ts';
import { recogniseType } from './recognise-type.ts';
import { startReader } from './start-reader.ts';

/** A file in memory, or on the disk of this machine. Its name says nothing about what it is, and is not looked at. */
export type ReadingInput = ({ bytes: Uint8Array } | { path: string }) & { name?: string };

const HEAD = 512;
const FAULTS = [
  'file_empty',
  'file_too_large',
  'file_type_unsupported',
  'file_unreadable',
  'file_encrypted',
  'file_too_complex',
] as const;

/** The line of what a reader sends behind its signs of progress; the parts follow it: text, thumbnail, content. */
const headSchema = z.union([
  z.object({ fault: z.enum(FAULTS), message: z.string() }),
  z.object({
    type: z.string(),
    pages: z.int().optional(),
    width: z.int().optional(),
    height: z.int().optional(),
    tokens: z.int(),
    lengths: z.tuple([z.int().min(0), z.int().min(0), z.int().min(0)]),
  }),
]);

/**
 * Reads one file in a process of its own, which may read the program's modules and nothing else, sees no setting, and ends with the
 * file. Throws a `FileFault` for what is wrong with the file; any other error is a failure of ours, after which it may be tried again.
 * How many are read at once is the caller's matter.
 */
export async function readFile(input: ReadingInput, limits = READING_LIMITS): Promise<ReadingResult> {
  const { length, head } = await lookAt(input);
  if (length === 0) throw new FileFault('file_empty');
  if (length > limits.bytes) throw new FileFault('file_too_large');
  const isPicture = recogniseType(head).startsWith('image/');
  return parseResult(await startReader(input, limits, isPicture));
}

async function lookAt(input: ReadingInput): Promise<{ length: number; head: Buffer }> {
  if ('bytes' in input) {
    const { bytes } = input;
    return { length: bytes.length, head: Buffer.from(bytes.subarray(0, HEAD)) };
  }
  const { size } = await stat(input.path);
  const head = Buffer.alloc(Math.min(size, HEAD));
  await using file = await open(input.path);
  await file.read(head, 0, head.length, 0);
  return { length: size, head };
}

function parseResult(sent: Buffer): ReadingResult {
  const start = sent.indexOf('{');
  const cut = sent.indexOf('\n', start);
  const head = headSchema.parse(JSON.parse(sent.toString('utf8', start, cut)));
  if ('fault' in head) throw new FileFault(head.fault, head.message);
  const { lengths, type, pages = null, width = null, height = null, tokens } = head;
  let at = cut + 1;
  const parts = lengths.map((length) => {
    at += length;
    return sent.subarray(at - length, at);
  });
  if (at !== sent.length) throw new Error('a reader sent less than it said');
  const [text = '', thumbnail = null, content = null] = [parts[0]?.toString('utf8'), parts[1], parts[2]];
  return {
    type,
    pages,
    text,
    hasText: text.trim() !== '',
    width,
    height,
    thumbnail: thumbnail?.length ? thumbnail : null,
    content: content?.length ? content : null,
    tokens,
  };
}
