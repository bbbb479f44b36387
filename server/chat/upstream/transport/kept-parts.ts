import { cleanText } from '#server/platform/clean-text.ts';

/**
 * A part with a picture that is a file: its JSON as the provider wrote it, without the Base64 of the picture, which stood at the
 * character `at`.
 */
export interface PictureLine {
  at: number;
  json: string;
  /** Which picture of the answer it is, from 0, until it is a file. */
  n: number;
  fileId: string | null;
  /** The Base64, while a request is written. */
  data?: string;
}

/**
 * The parts of an answer as a provider wrote them, which are sent back to the same model byte for byte. A line is the JSON of a part; or
 * a number: a part of text alone, so many UTF-16 code units of the stored answer, `["…",12]`; or a picture.
 */
export interface KeptParts {
  dialect: string;
  /** The upstream model that wrote them; no other can be relied on to read them. */
  model: string;
  lines: readonly (string | number | PictureLine)[];
}

/** Most characters that are stored; a longer answer is sent back as its text. */
const MAX_KEPT = 1_000_000;

const LINE_ENDS = /[\r\n]+/g;

/** Collects the lines of one answer. */
export class KeptLines {
  private readonly lines: KeptParts['lines'][number][] = [];
  private size = 0;
  private isRich = false;

  /** Adds a part of text alone. */
  addText(length: number) {
    this.lines.push(length);
  }

  /**
   * Adds a part as the provider wrote it; `isRich`: it has more than text and thinking. Line ends can only stand between the tokens of
   * JSON.
   */
  add(json: string, isRich: boolean) {
    this.size += json.length;
    this.isRich ||= isRich;
    if (this.size <= MAX_KEPT) this.lines.push(json.replace(LINE_ENDS, ' '));
  }

  /** Adds a part with a picture. `base64` is null when re-encoding the file would not give the same Base64 text. */
  addPicture(n: number, json: string | null, base64: string | null) {
    const at = json === null || base64 === null ? -1 : placeOf(base64, json);
    if (json === null || base64 === null || at < 0) {
      this.size = Number.POSITIVE_INFINITY;
      return;
    }
    const before = json.slice(0, at).replace(LINE_ENDS, ' ');
    const after = json.slice(at + base64.length).replace(LINE_ENDS, ' ');
    this.size += before.length + after.length;
    this.isRich = true;
    if (this.size <= MAX_KEPT) this.lines.push({ at: before.length, json: before + after, n, fileId: null });
  }

  /** The stored parts; null where the answer's text is all of them, or they are too long. */
  end({ dialect, model }: Pick<KeptParts, 'dialect' | 'model'>): KeptParts | null {
    return this.isRich && this.size <= MAX_KEPT ? { dialect, model, lines: this.lines } : null;
  }
}

/**
 * The place of a long text that is a whole string of the JSON; -1 where there is none. Found by its first characters, because it may have
 * many megabytes.
 */
function placeOf(text: string, json: string): number {
  const at = json.indexOf(`"${text.slice(0, 64)}`) + 1;
  const isThere = at > 0 && json[at + text.length] === '"' && json.slice(at, at + text.length) === text;
  return isThere ? at : -1;
}

/** The lines as one text, to be stored. */
export function writeKept({ dialect, model, lines }: KeptParts): string {
  return [JSON.stringify([dialect, model]), ...lines.map(writeLine)].join('\n');
}

function writeLine(line: KeptParts['lines'][number]): string | number {
  return typeof line === 'object' ? `@${line.at} ${line.fileId} ${line.json}` : line;
}

const PICTURE = /^@(\d+) ([0-9a-f-]{36}) /;

function readLine(line: string): KeptParts['lines'][number] {
  if (/^\d+$/.test(line)) return Number(line);
  const [head, at, fileId = null] = PICTURE.exec(line) ?? [];
  return head === undefined ? line : { at: Number(at), json: line.slice(head.length), n: 0, fileId };
}

/** The parts with the files that their pictures have become, by number; null where one of them is not a file. */
export function nameFiles(
  kept: KeptParts | null,
  fileIds: readonly (string | null | undefined)[],
): KeptParts | null {
  if (!kept) return null;
  const lines = kept.lines.map((line) =>
    typeof line === 'object' ? { ...line, fileId: fileIds[line.n] ?? null } : line,
  );
  const areFiles = lines.every((line) => typeof line !== 'object' || line.fileId !== null);
  return areFiles ? { ...kept, lines } : null;
}

/** The parts without pictures, such as plots: the code that made them is there. */
export function leaveOutPictures(kept: KeptParts | null): KeptParts | null {
  return kept && { ...kept, lines: kept.lines.filter((line) => typeof line !== 'object') };
}

/** The parts without pictures, whose signatures are long, for a model that reads them as words. */
export function readableKept(text: string | null): string {
  return (text ?? '')
    .split('\n')
    .filter((line) => !PICTURE.test(line))
    .join('\n');
}

/** Reads the text that `writeKept` made; null for null. */
export function readKept(text: string | null): KeptParts | null {
  if (text === null) return null;
  const [head = '', ...rest] = text.split('\n');
  const [dialect, model] = JSON.parse(head) as [string, string];
  return { dialect, model, lines: rest.map(readLine) };
}

/**
 * The parts as JSON texts, those of text alone made of the answer's text; null when that text has changed, or a picture cannot be read.
 */
export function expandKept(
  { lines }: KeptParts,
  text: string,
  partOf: (text: string) => unknown,
): string[] | null {
  const parts: string[] = [];
  let at = 0;
  for (const line of lines) {
    if (typeof line === 'number') {
      parts.push(JSON.stringify(partOf(text.slice(at, at + line))));
      at += line;
    } else if (typeof line === 'object') {
      if (line.data === undefined) return null;
      parts.push(line.json.slice(0, line.at) + line.data + line.json.slice(line.at));
      at += textLength(line.json);
    } else {
      parts.push(line);
      at += textLength(line);
    }
  }
  return at === text.length ? parts : null;
}

function textLength(json: string): number {
  const { text, thought } = JSON.parse(json) as { text?: unknown; thought?: unknown };
  return typeof text === 'string' && thought !== true ? cleanText(text).length : 0;
}
