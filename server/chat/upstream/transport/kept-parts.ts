/**
 * The parts of an answer as a provider wrote them, to be given back to the same model byte for byte. Each line is JSON as it
 * came, or a number: a part of nothing but text, so many UTF-16 code units of the answer, which has that text already.
 */
export interface KeptParts {
  dialect: string;
  /** The upstream model that wrote them; no other can be relied on to read them. */
  model: string;
  lines: readonly (string | number)[];
}

/** More than this is not kept, in characters: the answer is then given back as its text. */
const MAX_KEPT = 1_000_000;

/** Gathers the lines of one answer. */
export class KeptLines {
  private readonly lines: (string | number)[] = [];
  private size = 0;
  private isRich = false;

  /** A part of nothing but text. */
  addText(length: number) {
    this.lines.push(length);
  }

  /** A part as it came; `isRich`: it has more than text and thinking. Line ends can only stand between the tokens of JSON. */
  add(json: string, isRich: boolean) {
    this.size += json.length;
    this.isRich ||= isRich;
    if (this.size <= MAX_KEPT) this.lines.push(json.replace(/[\r\n]+/g, ' '));
  }

  /** What is kept; null where the answer's text says it all, or it is too much. */
  end({ dialect, model }: Pick<KeptParts, 'dialect' | 'model'>): KeptParts | null {
    return this.isRich && this.size <= MAX_KEPT ? { dialect, model, lines: this.lines } : null;
  }
}

/** As one text, to be stored. */
export function writeKept({ dialect, model, lines }: KeptParts): string {
  return [JSON.stringify([dialect, model]), ...lines].join('\n');
}

/** What `writeKept` made; null for null. */
export function readKept(text: string | null): KeptParts | null {
  if (text === null) return null;
  const [head = '', ...rest] = text.split('\n');
  const [dialect, model] = JSON.parse(head) as [string, string];
  return { dialect, model, lines: rest.map((line) => (/^\d+$/.test(line) ? Number(line) : line)) };
}

/** The parts as JSON texts, those of nothing but text made of the answer's text; null when that is not the text they had. */
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
    } else {
      parts.push(line);
      at += textLength(line);
    }
  }
  return at === text.length ? parts : null;
}

function textLength(json: string): number {
  const { text, thought } = JSON.parse(json) as { text?: unknown; thought?: unknown };
  return typeof text === 'string' && thought !== true ? text.length : 0;
}
