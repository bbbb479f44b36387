import { MEGABYTE } from '#contract/limits.ts';
import { fileTokensOf, PICTURE_TOKENS } from '#server/catalogue/file-rules.ts';
import { refuseModel } from '#server/chat/attachments/quote-turn-files.ts';
import type { FilePart, Turn, TurnPart } from '#server/chat/upstream/transport/upstream.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { API_READERS, readInSlotWithin } from '#server/files/ingest/read-in-slot.ts';
import { FileFault, READING_LIMITS } from '#server/files/reading/reading-rules.ts';
import { recogniseType } from '#server/files/reading/recognise-type.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { FairSlots } from '#server/platform/fair-slots.ts';
import { FetchRefused, fetchPublic } from '#server/platform/fetch/fetch-public.ts';
import type { AskedTurn, GivenPart } from './parse-content.ts';

/** Of all pictures and files of a request together, in bytes. */
export const TOTAL_LIMIT = 20 * MEGABYTE;
const MAX_FILES = 50;
const FETCH_TIMEOUT_MS = 15_000;
/** Longer than one file is read. */
const READER_WAIT_MS = READING_LIMITS.timeMs + 10_000;
/** What a picture takes that is looked at briefly (ai.google.dev/gemini-api/docs/media-resolution). */
const BRIEF_TOKENS = 280;

/** Files of API requests are read each in a process of its own, by turns between users. */
const readers = new FairSlots(API_READERS);

export interface OpenedQuestion {
  turns: Turn[];
  /** What the model reads of each file. */
  fileTokens: number[];
}

interface OpenedFile {
  part: FilePart;
  tokens: number;
}

type OpenDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'metrics'>;

/**
 * The turns of an API request with its pictures and files, which are read and not kept. `isFetched`: pictures at an address are
 * fetched; else they are taken for pictures as they are. Throws `too_many_files`, `file_too_large`, `file_type_unsupported` and
 * what else is wrong with a file, `address_unreadable`, `model_reads_no_files`, naming the place.
 */
export async function openFiles(
  deps: OpenDeps,
  {
    userId,
    model,
    turns,
    isFetched,
  }: { userId: string; model: string; turns: readonly AskedTurn[]; isFetched: boolean },
): Promise<OpenedQuestion> {
  const given = turns.flatMap(({ parts }) => parts.filter((part) => part.kind === 'given'));
  if (given.length > MAX_FILES) throw new AppError('too_many_files', { limit: MAX_FILES, field: 'messages' });
  const opened = new Map<GivenPart, OpenedFile>();
  let left = TOTAL_LIMIT;
  const isBrief = given.every(({ isPicture, detail }) => isPicture && detail === 'low');
  for (const part of given) {
    const { file, length } = await openFile(deps, userId, part, { left, isFetched });
    const tokens = fileTokensOf(file, model, deps.config.upstream.routes);
    if (tokens === null) throw await refuseModel(deps, userId, { field: part.field });
    left -= length;
    opened.set(part, {
      part: file.part,
      tokens: isBrief && tokens === PICTURE_TOKENS ? BRIEF_TOKENS : tokens,
    });
  }
  return {
    turns: turns.map(({ role, parts, kept }) => ({
      role,
      kept,
      parts: parts.map((part) => (part.kind === 'given' ? fileOf(opened.get(part)) : part)),
    })),
    fileTokens: [...opened.values()].map(({ tokens }) => tokens),
  };
}

function fileOf(opened: OpenedFile | undefined): TurnPart {
  return opened ? { ...opened.part, tokens: opened.tokens } : { kind: 'text', text: '' };
}

interface KnownFile {
  part: FilePart;
  type: string;
  pages: number | null;
  textTokens: number | null;
}

async function openFile(
  deps: OpenDeps,
  userId: string,
  part: GivenPart,
  { left, isFetched }: { left: number; isFetched: boolean },
): Promise<{ file: KnownFile; length: number }> {
  const { source } = part;
  if ('url' in source && !isFetched)
    return { file: pictureOf(part, 'image/jpeg', Buffer.alloc(0)), length: 0 };
  const data = 'url' in source ? await fetchPicture(deps, source.url, part, left) : source.data;
  if (data.length > left) throw refuse(part, 'file_too_large');
  if (data.length === 0) throw refuse(part, 'file_empty');
  const type = recogniseType(data);
  if (type.startsWith('image/')) return { file: pictureOf(part, type, data), length: data.length };
  if (part.isPicture) throw refuse(part, 'file_type_unsupported');
  return { file: await readDocument(deps, userId, part, data), length: data.length };
}

function pictureOf({ name, detail }: GivenPart, type: string, data: Buffer): KnownFile {
  const source = {
    bytes: data.length,
    hasText: false,
    content: async () => data,
    text: async () => null,
    copies: null,
  };
  return { part: { kind: 'file', type, name, detail, source }, type, pages: null, textTokens: null };
}

async function fetchPicture(
  { config }: OpenDeps,
  url: string,
  part: GivenPart,
  left: number,
): Promise<Buffer> {
  try {
    const limits = { limit: left, timeoutMs: FETCH_TIMEOUT_MS, accept: 'image/*' };
    return (await fetchPublic(url, { ...limits, testHosts: config.fetchTestHosts })).bytes;
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    throw new AppError(
      'address_unreadable',
      { field: part.field, limit: TOTAL_LIMIT / MEGABYTE },
      { cause: error },
    );
  }
}

/** What a file says and how many pages it has, found in a process of its own. */
async function readDocument(
  deps: OpenDeps,
  userId: string,
  part: GivenPart,
  data: Buffer,
): Promise<KnownFile> {
  const limits = { ...READING_LIMITS, bytes: deps.config.files.limitBytes };
  const file = { userId, bytes: data, limits };
  try {
    const { type, pages, text, tokens, hasText } = await readInSlotWithin(
      deps,
      readers,
      file,
      READER_WAIT_MS,
    );
    const isPdf = type === 'application/pdf';
    const textTokens = isPdf ? (hasText ? estimateTokens(text) : null) : tokens;
    const { name, detail } = part;
    const source = {
      bytes: data.length,
      hasText: textTokens !== null,
      content: async () => data,
      text: async () => text,
      copies: null,
    };
    return { part: { kind: 'file', type, name, detail, source }, type, pages, textTokens };
  } catch (error) {
    throw error instanceof FileFault ? refuse(part, error.code) : error;
  }
}

function refuse({ name, field }: GivenPart, code: FileFault['code']): AppError {
  return new AppError(code, { name, field, limit: TOTAL_LIMIT / MEGABYTE });
}
