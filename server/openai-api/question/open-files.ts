import { MEGABYTE } from '#contract/limits.ts';
import { fileTokensOf, PICTURE_TOKENS } from '#server/catalogue/file-rules.ts';
import { refuseModel } from '#server/chat/attachments/quote-turn-files.ts';
import type { FilePart, Turn, TurnPart } from '#server/chat/upstream/transport/upstream.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { API_READERS, type FileToRead, readInSlotWithin } from '#server/files/ingest/read-in-slot.ts';
import { FileFault, READING_LIMITS, type ReadingResult } from '#server/files/reading/reading-rules.ts';
import { recogniseType } from '#server/files/reading/recognise-type.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { FairSlots } from '#server/platform/fair-slots.ts';
import { anySignal } from '#server/platform/fetch/any-signal.ts';
import { FetchRefused, fetchPublic } from '#server/platform/fetch/fetch-public.ts';
import { limitReading } from './limit-body.ts';
import type { AskedTurn, GivenPart } from './parse-content.ts';

/** Bytes of all pictures and files of a request together. */
export const MAX_TOTAL = 20 * MEGABYTE;
const MAX_FILES = 50;
const FETCH_TIMEOUT_MS = 15_000;
/** Time for all pictures of a request together, which hold memory that others wait for. */
const FETCH_ALL_MS = 60_000;
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

interface AskedFiles {
  userId: string;
  model: string;
  /** Pictures are neither fetched nor read. */
  isForPrice: boolean;
  /** Tokens that the model reads at once, and those that the request takes without its files. */
  context: { limit: number; taken: number };
  /** Aborted once their caller has gone. */
  signal?: AbortSignal | undefined;
}

type OpenDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'metrics' | 'models'>;

/**
 * The turns of an API request with its pictures and files, which are read and not kept. Throws `too_many_files`, `file_too_large`,
 * `file_type_unsupported` and what else is wrong with a file, `address_unreadable`, `model_reads_no_files`, naming the place;
 * `too_many_running` for a user whose files of several requests are read, `context_too_long` once those that were read are more than
 * `context` has room for, and the reason of `signal`.
 */
export async function openFiles(
  deps: OpenDeps,
  { turns, ...asked }: AskedFiles & { turns: readonly AskedTurn[] },
): Promise<OpenedQuestion> {
  const given = turns.flatMap(({ parts }) => parts.filter((part) => part.kind === 'given'));
  if (given.length > MAX_FILES) throw new AppError('too_many_files', { limit: MAX_FILES, field: 'messages' });
  const leave = given.length > 0 ? limitReading(asked.userId, deps.config.limits.runningPerUser) : () => {};
  const files = await openAll(deps, asked, given).finally(leave);
  const opened = new Map(files.map((file, index) => [given[index] as GivenPart, file]));
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

/**
 * Opens files in their order, side by side as far as their user has readers: while the bytes of one come, those before it are read. Of
 * several faults the first in their order is thrown; what stands behind it is not begun.
 */
async function openAll(
  deps: OpenDeps,
  asked: AskedFiles,
  given: readonly GivenPart[],
): Promise<OpenedFile[]> {
  const fetching = anySignal(AbortSignal.timeout(FETCH_ALL_MS), asked.signal);
  const stops = given.map(() => new AbortController());
  const openings: Promise<OpenedFile>[] = [];
  const count = countWithin(asked.context, given);
  let left = MAX_TOTAL;
  for (const [index, part] of given.entries()) {
    const stop = stops[index] as AbortController;
    if (stop.signal.aborted) break;
    asked.signal?.throwIfAborted();
    const bytes = bytesOf(deps, asked, part, { left, fetching });
    const signal = anySignal(stop.signal, asked.signal);
    const opening = bytes.then(async (data) => count(await openFile(deps, { ...asked, signal }, part, data)));
    openings.push(opening);
    opening.catch(() => {
      for (const later of stops.slice(index + 1)) later.abort();
    });
    left -= await bytes.then(
      (data) => data?.length ?? 0,
      () => 0,
    );
  }
  const opened: OpenedFile[] = [];
  for (const opening of openings) opened.push(await opening);
  return opened;
}

/**
 * Counts the tokens of files as they are opened. Throws `context_too_long` for the one that is too much: what unpacks to many times its
 * length would else be in memory as a whole, fifty times, before it is refused.
 */
function countWithin(
  { limit, taken }: AskedFiles['context'],
  given: readonly GivenPart[],
): (file: OpenedFile) => OpenedFile {
  const isBrief = given.every(({ isPicture, detail }) => isPicture && detail === 'low');
  let sum = taken;
  return ({ part, tokens }) => {
    const counted = isBrief && tokens === PICTURE_TOKENS ? BRIEF_TOKENS : tokens;
    sum += counted;
    if (sum > limit) throw new AppError('context_too_long', { tokens: sum, limit });
    return { part, tokens: counted };
  };
}

interface Fetching {
  /** Bytes that may still come. */
  left: number;
  fetching: AbortSignal;
}

/** The bytes of a file; null for a picture at an address that only its price is asked of. */
async function bytesOf(
  deps: OpenDeps,
  { isForPrice }: AskedFiles,
  part: GivenPart,
  fetching: Fetching,
): Promise<Buffer | null> {
  const { source } = part;
  if ('url' in source && isForPrice) return null;
  const data = 'url' in source ? await fetchPicture(deps, source.url, part, fetching) : source.data;
  if (data.length > fetching.left) throw refuse(part, 'file_too_large');
  if (data.length === 0) throw refuse(part, 'file_empty');
  return data;
}

async function openFile(
  deps: OpenDeps,
  { userId, model, isForPrice, context, signal }: AskedFiles,
  part: GivenPart,
  data: Buffer | null,
): Promise<OpenedFile> {
  const isPicture = data === null || recogniseType(data).startsWith('image/');
  if (part.isPicture && !isPicture) throw refuse(part, 'file_type_unsupported');
  const isKnown = data === null || (isPicture && isForPrice);
  const file = isKnown
    ? unreadPicture(userId, part)
    : await readGiven(deps, { userId, bytes: data, signal, context }, part);
  const tokens = fileTokensOf(file, model, deps.config.upstream.chains);
  if (tokens === null) throw await refuseModel(deps, userId, file, { field: part.field });
  return { part: file.part, tokens };
}

/** A picture as its price sees it: each costs the same, and all that is read can be given as this. */
function unreadPicture(owner: string, { name, detail }: GivenPart): KnownFile {
  const type = 'image/jpeg';
  const source = {
    owner,
    bytes: 0,
    hasText: false,
    content: async () => Buffer.alloc(0),
    text: async () => null,
    copies: null,
  };
  return { part: { kind: 'file', type, name, detail, source }, type, pages: null, textTokens: null };
}

async function fetchPicture(
  { config }: OpenDeps,
  url: string,
  part: GivenPart,
  { left, fetching }: Fetching,
): Promise<Buffer> {
  try {
    const limits = { limit: left, timeoutMs: FETCH_TIMEOUT_MS, accept: 'image/*', signal: fetching };
    return (await fetchPublic(url, { ...limits, testHosts: config.fetchTestHosts })).bytes;
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    throw new AppError(
      'address_unreadable',
      { field: part.field, limit: MAX_TOTAL / MEGABYTE },
      { cause: error },
    );
  }
}

/**
 * A file as it was read in a process of its own, by the rules of an upload: a picture without its place and camera, a HEIC as a JPEG, what a
 * document says and how many pages it has.
 */
async function readGiven(
  deps: OpenDeps,
  { context, ...file }: Omit<FileToRead, 'limits'> & Pick<AskedFiles, 'context'>,
  part: GivenPart,
): Promise<KnownFile> {
  const limits = { ...READING_LIMITS, bytes: deps.config.files.limitBytes };
  try {
    const found = await readInSlotWithin(deps, readers, { ...file, limits }, READER_WAIT_MS);
    const { type, pages, text } = found;
    const content = found.content ?? file.bytes;
    const textTokens = textTokensOf(found);
    // A PDF that is seen may have more text than the model reads.
    const readable = textTokens === null || textTokens > context.limit ? null : text;
    const { name, detail } = part;
    const source = {
      owner: file.userId,
      bytes: content.length,
      hasText: readable !== null,
      content: async () => content,
      text: async () => readable,
      copies: null,
    };
    return { part: { kind: 'file', type, name, detail, source }, type, pages, textTokens };
  } catch (error) {
    throw error instanceof FileFault ? refuse(part, error.code, limits.bytes) : error;
  }
}

/** Tokens of the text that a file may be given as; null where it has none, as a picture. */
function textTokensOf({ type, text, tokens, hasText }: ReadingResult): number | null {
  if (type.startsWith('image/')) return null;
  if (type !== 'application/pdf') return tokens;
  return hasText ? estimateTokens(text) : null;
}

function refuse({ name, field }: GivenPart, code: FileFault['code'], limit = MAX_TOTAL): AppError {
  return new AppError(code, { name, field, limit: limit / MEGABYTE });
}
