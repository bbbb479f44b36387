import type { TextPart } from '#contract/message/parts.ts';
import { HOUR_MS } from '#contract/time.ts';
import { type GivenAs, givenAs } from '#server/catalogue/file-rules.ts';
import type { UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import type { OnUsage } from '#server/files/reading/start-reader.ts';
import { ByteBudget, OwnerBudgets, takeBoth } from '#server/platform/byte-budget.ts';
import { type Clock, systemClock } from '#server/platform/clock.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { createGeminiFiles, type GeminiFiles, projectOf } from '../dialects/gemini-files.ts';
import { isFile, sayPart } from '../transport/turn-parts.ts';
import type { FileCopy, FilePart, MediaPart, Turn, TurnPart } from '../transport/upstream.ts';
import { UpstreamError } from '../transport/upstream-error.ts';
import { convertPicture } from './convert-picture.ts';
import { frameText } from './frame-text.ts';
import { giveMade, madeIn, placeMade } from './give-made.ts';

/** Bytes of files that one request carries itself, before base64: the whole request then stays below 15 MB. */
export const MAX_INLINE = 11_000_000;
/**
 * Bytes of files in memory, of all requests that are being written, half of them for one user at most. Pictures that are being converted
 * come on top of it, as many as there are converters.
 */
const MAX_MEMORY = 64_000_000;
/** A copy that ends sooner is made anew: an answer may take a while, and be continued. */
const COPY_MARGIN_MS = 2 * HOUR_MS;
/** Bytes of files in one request to a provider that keeps no copies. */
const MAX_OTHER_INLINE = 32_000_000;
/** What an OpenAI-compatible provider is given of a picture at most, in bytes; a larger one is made smaller. */
const MAX_PICTURE = 2_000_000;

const GEMINI_PICTURES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif']);
const OPENAI_PICTURES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/** Called with the use of each process that converted a picture. */
export type OnConversion = OnUsage;

/** Turns in the form that a route's model reads, and the memory that they hold until they are sent. */
export interface GivenTurns {
  turns: Turn[];
  /** Frees that memory. To be called when the request is written, or given up. */
  release(): void;
}

interface OpenedFile {
  part: FilePart;
  reading: GivenAs | null;
  copy: FileCopy | null;
}

/** Gives files to models: inline, as a copy at the provider, or as the text that was found in them. */
export class FileGiver {
  private readonly budget = new ByteBudget(MAX_MEMORY);
  private readonly budgets = new OwnerBudgets(MAX_MEMORY / 2);
  private readonly files: GeminiFiles;
  private readonly clock: Pick<Clock, 'now'>;
  private readonly onConversion: OnConversion | undefined;

  constructor(
    geminiApiVersion: string,
    onConversion?: OnConversion,
    clock: Pick<Clock, 'now'> = systemClock,
  ) {
    this.files = createGeminiFiles(geminiApiVersion);
    this.onConversion = onConversion;
    this.clock = clock;
  }

  /** The turns with each file in the form that the route's model reads. Rejects with `UpstreamError`, and with what a source throws. */
  async give(route: UpstreamRoute, turns: readonly Turn[], signal: AbortSignal): Promise<GivenTurns> {
    const placed = placeMade(route, turns);
    const parts = placed.flatMap((turn) => (turn.role === 'user' ? turn.parts.filter(isFile) : []));
    const opened = await this.open(route, parts, signal);
    const bytes = [...opened.values()].reduce((sum, one) => sum + inlineBytes(route, one), 0);
    const made = placed.flatMap(madeIn);
    const keptBytes = made.reduce((sum, { source }) => sum + source.bytes, 0);
    // All files of a request are read for one user.
    const owner = [...parts, ...made][0]?.source.owner;
    const isCarrying = owner !== undefined && bytes + keptBytes > 0;
    const release = isCarrying ? await this.takeMemory(owner, bytes + keptBytes, signal) : () => {};
    try {
      const given: Turn[] = [];
      for (const turn of placed)
        given.push(
          turn.role === 'model' ? await giveMade(turn) : await this.giveTurn(route, turn, opened, signal),
        );
      return { turns: given, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Forgets the copies of a request's files, which the provider does not have any more. Returns whether there were any. */
  async forgetCopies(route: UpstreamRoute, turns: readonly Turn[]): Promise<boolean> {
    const project = projectOf(route);
    let any = false;
    for (const { source } of turns.flatMap((turn) => turn.parts.filter(isFile))) {
      if (!(await source.copies?.find(project))) continue;
      await source.copies?.forget(project);
      any = true;
    }
    return any;
  }

  /** Deletes a copy at its provider; if no route belongs to its project, the provider lets the copy expire. */
  async deleteCopy(
    routes: readonly UpstreamRoute[],
    { project, name }: { project: string; name: string },
    signal: AbortSignal,
  ) {
    const route = routes.find((one) => one.dialect === 'gemini' && projectOf(one) === project);
    if (route) await this.files.delete(route, name, signal);
  }

  /** How each file is given; copies are made, the largest first, until the rest fits into the request. */
  private async open(route: UpstreamRoute, parts: readonly FilePart[], signal: AbortSignal) {
    const opened = new Map<FilePart, OpenedFile>();
    for (const part of parts) {
      const { type, source } = part;
      const reading = givenAs({ type, textTokens: source.hasText ? 0 : null }, route);
      const canBeCopied = route.dialect === 'gemini' && reading !== 'text' && !isToConvert(route, part);
      const copy = canBeCopied ? await this.findCopy(route, part) : null;
      opened.set(part, { part, reading, copy });
    }
    const bySize = [...opened.values()].sort((one, other) => other.part.source.bytes - one.part.source.bytes);
    const isGemini = route.dialect === 'gemini';
    const limit = isGemini ? MAX_INLINE : MAX_OTHER_INLINE;
    let inline = bySize.reduce((sum, one) => sum + inlineBytes(route, one), 0);
    for (const one of bySize) {
      const bytes = inlineBytes(route, one);
      if (inline <= limit || bytes === 0) continue;
      if (isGemini && one.part.source.copies && !isToConvert(route, one.part))
        one.copy = await this.makeCopy(route, one.part, signal);
      else if (!isGemini && one.reading === 'document' && (await isTextCounted(one.part)))
        one.reading = 'text';
      else continue;
      inline -= bytes;
    }
    if (!isGemini && inline > limit)
      throw new UpstreamError('invalid_content', 'the files are too long together');
    return opened;
  }

  private async findCopy(route: UpstreamRoute, { source }: FilePart): Promise<FileCopy | null> {
    const copy = await source.copies?.find(projectOf(route));
    return copy && copy.expiresAt.getTime() - this.clock.now().getTime() > COPY_MARGIN_MS ? copy : null;
  }

  private async makeCopy(route: UpstreamRoute, part: FilePart, signal: AbortSignal): Promise<FileCopy> {
    const { copies } = part.source;
    const project = projectOf(route);
    const uploaded = await this.upload(route, part, signal);
    if (typeof uploaded.name === 'string') await copies?.recordNew(project, uploaded.name);
    // It is found by other answers once it can be used: meanwhile they make their own.
    const copy = await this.files.waitForActive(route, uploaded, signal);
    await copies?.keep(project, copy);
    return copy;
  }

  /** Takes memory for files of a user. Rejects as `ByteBudget.take`. */
  private takeMemory(owner: string, bytes: number, signal: AbortSignal): Promise<() => void> {
    return takeBoth(
      () => this.budgets.take(owner, bytes, signal),
      () => this.budget.take(bytes, signal),
    );
  }

  /** Holds the memory of a file only until it is uploaded: the provider may look through it for long. */
  private async upload(route: UpstreamRoute, { type, source }: FilePart, signal: AbortSignal) {
    const release = await this.takeMemory(source.owner, source.bytes, signal);
    try {
      return await this.files.upload(route, { type, data: await source.content() }, signal);
    } finally {
      release();
    }
  }

  /** Puts the name of a file in front of it, for which a provider's part of a picture has no field. */
  private async giveTurn(
    route: UpstreamRoute,
    turn: Turn,
    opened: Map<FilePart, OpenedFile>,
    signal: AbortSignal,
  ): Promise<Turn> {
    const parts: TurnPart[] = [];
    for (const part of turn.parts) {
      const file = isFile(part) ? opened.get(part) : undefined;
      if (!file) parts.push(part);
      else if (file.reading === 'text') parts.push(await giveText(file.part));
      else
        parts.push(
          { kind: 'text', text: `${sayPart(part)}\n` },
          ...(await this.giveMedia(route, file, signal)),
        );
    }
    return { ...turn, parts };
  }

  private async giveMedia(
    route: UpstreamRoute,
    { part, reading, copy }: OpenedFile,
    signal: AbortSignal,
  ): Promise<MediaPart[]> {
    if (reading === null) return [];
    const { name, detail } = part;
    if (copy) return [{ kind: 'media', type: part.type, name, detail, uri: copy.uri }];
    const { type, data } = isToConvert(route, part)
      ? await convertPicture(part.source, signal, this.onConversion)
      : { type: part.type, data: await part.source.content() };
    return [{ kind: 'media', type, name, detail, data: data.toString('base64') }];
  }
}

function inlineBytes(route: UpstreamRoute, { part, reading, copy }: OpenedFile): number {
  if (copy || reading === null || reading === 'text') return 0;
  const { bytes } = part.source;
  return isToConvert(route, part) ? Math.min(bytes, MAX_PICTURE) : bytes;
}

/** Whether the text of a document takes no more tokens than were counted for its pages. */
async function isTextCounted({ tokens = Number.POSITIVE_INFINITY, source }: FilePart): Promise<boolean> {
  return source.hasText && estimateTokens((await source.text()) ?? '') <= tokens;
}

async function giveText({ name, type, source }: FilePart): Promise<TextPart> {
  const text = await source.text();
  if (text === null) throw new UpstreamError('invalid_content', 'a file has no text');
  return { kind: 'text', text: frameText({ name, type, text }) };
}

function isToConvert({ dialect }: UpstreamRoute, { type, source }: FilePart): boolean {
  if (!type.startsWith('image/')) return false;
  if (dialect === 'gemini') return !GEMINI_PICTURES.has(type);
  return !OPENAI_PICTURES.has(type) || source.bytes > MAX_PICTURE;
}
