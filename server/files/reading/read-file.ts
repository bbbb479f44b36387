import { z } from 'zod';
import {
  FILE_FAULTS,
  FileFault,
  READING_LIMITS,
  type ReadingLimits,
  type ReadingResult,
} from './reading-rules.ts';
import { type RecognisedType, recogniseType } from './recognise-type.ts';
import { type OnUsage, startReader } from './start-reader.ts';

/** The line of what a reader sends behind its signs of progress; the parts follow it: text, thumbnail, content. */
const headSchema = z.union([
  z.object({ fault: z.enum(FILE_FAULTS), message: z.string() }),
  z.object({
    type: z.string(),
    pages: z.int().optional(),
    width: z.int().optional(),
    height: z.int().optional(),
    tokens: z.int(),
    lengths: z.tuple([z.int().min(0), z.int().min(0), z.int().min(0)]),
  }),
]);

export interface ReadOptions {
  /** `READING_LIMITS` without it. */
  limits?: ReadingLimits;
  /** For a picture: stores it with the place where it was taken and its other metadata. */
  keepsPlace?: boolean;
  onUsage?: OnUsage | undefined;
  /** Ends the process. */
  signal?: AbortSignal | undefined;
}

/**
 * Reads one file by its bytes alone, in a process of its own, which may read the program's modules and nothing else, sees no setting,
 * and ends with the file. Throws a `FileFault` for what is wrong with the file and the reason of `signal`; any other error is a failure of
 * ours, after which it may be tried again. How many are read at once is the caller's matter.
 */
export async function readFile(
  bytes: Buffer,
  { limits = READING_LIMITS, keepsPlace = false, onUsage, signal }: ReadOptions = {},
): Promise<ReadingResult> {
  if (bytes.length === 0) throw new FileFault('file_empty');
  if (bytes.length > limits.bytes) throw new FileFault('file_too_large');
  const isPicture = recogniseType(bytes).startsWith('image/');
  const task = keepsPlace ? 'read-with-place' : 'read';
  return parseResult(await startReader(bytes, { task, limits, isPicture, onUsage, signal }));
}

/**
 * A picture that some model cannot be given as it is, made a JPEG or PNG of a size that all take, in a process as of `readFile`. Throws
 * as that does.
 */
export async function convertPicture(
  bytes: Buffer,
  { limits = READING_LIMITS, onUsage, signal }: Omit<ReadOptions, 'keepsPlace'> = {},
): Promise<{ type: string; data: Buffer }> {
  const order = { task: 'convert', limits, isPicture: true, onUsage, signal } as const;
  const { type, content } = contentOf(await startReader(bytes, order));
  return { type, data: content };
}

/** What browsers show, by what a file is and not by what it is called: SVG runs scripts, the rest are readers that we need not trust. */
const SHOWN: ReadonlySet<RecognisedType> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/**
 * A square WebP of 256 pixels: upright, the middle of a picture, its first frame, and nothing of what the file tells beside it, in a process
 * as of `readFile`. Throws as that does.
 */
export async function squarePicture(
  bytes: Buffer,
  { onUsage }: Pick<ReadOptions, 'onUsage'> = {},
): Promise<Buffer> {
  if (!SHOWN.has(recogniseType(bytes))) throw new FileFault('file_type_unsupported');
  const order = { task: 'square', limits: READING_LIMITS, isPicture: true, onUsage } as const;
  return contentOf(await startReader(bytes, order)).content;
}

function contentOf(sent: Buffer): ReadingResult & { content: Buffer } {
  const result = parseResult(sent);
  if (!result.content) throw new FileFault('file_unreadable', 'a picture became nothing');
  return { ...result, content: result.content };
}

function parseResult(sent: Buffer): ReadingResult {
  const start = sent.indexOf('{');
  const cut = sent.indexOf('\n', start);
  const head = headSchema.parse(JSON.parse(sent.toString('utf8', start, cut)));
  if ('fault' in head) throw new FileFault(head.fault, head.message);
  const { lengths, type, pages = null, width = null, height = null, tokens } = head;
  let at = cut + 1;
  const next = (length: number) => {
    at += length;
    return sent.subarray(at - length, at);
  };
  const text = next(lengths[0]).toString('utf8');
  const thumbnail = next(lengths[1]);
  const content = next(lengths[2]);
  if (at !== sent.length) throw new Error('a reader sent less than it said');
  return {
    type,
    pages,
    text,
    hasText: text.trim() !== '',
    width,
    height,
    thumbnail: thumbnail.length > 0 ? thumbnail : null,
    content: content.length > 0 ? content : null,
    tokens,
  };
}
