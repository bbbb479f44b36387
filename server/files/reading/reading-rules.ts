import type { ErrorCode } from '#contract/errors.ts';
import { MEGABYTE } from '#contract/limits.ts';

export const FILE_FAULTS = [
  'file_empty',
  'file_too_large',
  'file_type_unsupported',
  'file_unreadable',
  'file_encrypted',
  'file_too_complex',
] as const satisfies readonly ErrorCode[];
export type FileFaultCode = (typeof FILE_FAULTS)[number];

/** What is wrong with a user's file: `code` is for the user, `message` for the log. Trying again is of no use. */
export class FileFault extends Error {
  readonly code: FileFaultCode;

  constructor(code: FileFaultCode, message: string = code, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileFault';
    this.code = code;
  }
}

/** What a process that reads one file may take. */
export interface ProcessLimits {
  /** Resident memory, in bytes. Node itself takes 75 MB. */
  memory: number;
  /** Processor time, in milliseconds: between two signs of progress (a page, a MB unpacked), and in all. */
  stepMs: number;
  cpuMs: number;
}

/** How much work one file may be. Lengths in bytes unless said otherwise. */
export interface ReadingLimits {
  /** The file itself. */
  bytes: number;
  /** What all parts of an archive that are read inflate to. */
  inflated: number;
  /** Entries of an archive. */
  entries: number;
  /** Pages, sheets or slides. */
  pages: number;
  /** UTF-16 code units of the text. */
  text: number;
  /** Pixels of a picture; of an animation those of one frame. */
  pixels: number;
  process: ProcessLimits;
  /** The same of a picture: a decoder gives few signs, and a HEIC of 48 million pixels takes ten seconds or, on a slow machine, more. */
  pictureProcess: ProcessLimits;
  /** Wall clock, in milliseconds. A file that takes longer with little processor time is not to blame. */
  timeMs: number;
}

export const READING_LIMITS: ReadingLimits = {
  bytes: 20 * MEGABYTE,
  inflated: 40 * MEGABYTE,
  entries: 10_000,
  pages: 2_000,
  text: 20_000_000,
  pixels: 50_000_000,
  process: { memory: 200 * MEGABYTE, stepMs: 1_700, cpuMs: 20_000 },
  pictureProcess: { memory: 768 * MEGABYTE, stepMs: 8_000, cpuMs: 40_000 },
  timeMs: 120_000,
};

/** What a file is and has. */
export interface ReadingResult {
  /** MIME type by its bytes; of `content`, where there is one. Any text, code and CSV too, is `text/plain`. */
  type: string;
  /** Pages, sheets or slides; null where it has none, or none before it is laid out (docx, odt, epub). */
  pages: number | null;
  /** Line ends are `\n`; a table is CSV under the name of its sheet; '' where there is none. */
  text: string;
  hasText: boolean;
  /** Pixels, upright; null for anything but a picture. */
  width: number | null;
  height: number | null;
  /** WebP of at most 480 by 480 pixels; null for anything but a picture. */
  thumbnail: Buffer | null;
  /** What to store in place of the file: a picture without place, camera and comments. Null: store it as it is. */
  content: Buffer | null;
  /** What a model reads of it in one turn, estimated. */
  tokens: number;
}

/** What a reader finds; the rest follows from it. */
export interface Found {
  text: string;
  type?: string;
  pages?: number;
  width?: number;
  height?: number;
  thumbnail?: Buffer;
  content?: Buffer | undefined;
}

/** Small pieces cost more memory than what is in them, so that so many are made one, and one of so many characters is left alone. */
const PIECES = 4_096;
const CHUNK = 65_536;

/** Text that may not grow beyond `limit` UTF-16 code units: throws `file_too_complex`. */
export class BoundedText {
  readonly #chunks: string[] = [];
  readonly #limit: number;
  #pieces: string[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(piece: string): void {
    this.#length += piece.length;
    if (this.#length > this.#limit) throw new FileFault('file_too_complex', 'the text is too long');
    if (piece) this.#pieces.push(piece);
    if (this.#pieces.length >= PIECES) this.#pieces = [this.#pieces.join('')];
    if ((this.#pieces[0]?.length ?? 0) >= CHUNK) this.#chunks.push(...this.#pieces.splice(0));
  }

  /** One line end, unless there is one. */
  endLine(): void {
    const last = this.#pieces.at(-1) ?? this.#chunks.at(-1);
    if (last && !last.endsWith('\n')) this.add('\n');
  }

  get length(): number {
    return this.#length;
  }

  toString(): string {
    return [...this.#chunks, ...this.#pieces].join('');
  }
}
