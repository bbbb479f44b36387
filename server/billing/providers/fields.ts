const MAX_TEXT = 500;
/** What a provider's clock can say: 2000 to 2200, in milliseconds. */
const EARLIEST = Date.UTC(2000, 0);
const LATEST = Date.UTC(2200, 0);
const MAX_SECONDS = 100_000_000_000;
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:?\d\d)?$/;

/** A JSON object from outside, of which nothing is sure. Every reader answers null for what is missing or of another kind. */
export class Fields {
  readonly #values: Record<string, unknown>;

  constructor(value: unknown) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    this.#values = isObject ? (value as Record<string, unknown>) : {};
  }

  /** True when there is anything in it. */
  get exists(): boolean {
    return Object.keys(this.#values).length > 0;
  }

  raw(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }

  /** A text of 1 to 500 characters; a whole number as text, since providers write ids both ways. */
  text(name: string): string | null {
    const value = this.raw(name);
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
    if (typeof value !== 'string' || value.length > MAX_TEXT) return null;
    return value.replaceAll('\0', '').toWellFormed().trim() || null;
  }

  object(name: string): Fields {
    return new Fields(this.raw(name));
  }

  list(name: string): Fields[] {
    const value = this.raw(name);
    return Array.isArray(value) ? value.map((each: unknown) => new Fields(each)) : [];
  }

  /** The id of what stands here as an id or as the whole object; `key` is the name of the id inside. */
  id(name: string, key = 'id'): string | null {
    return this.text(name) ?? this.object(name).text(key);
  }

  /** What `table` says for the text that stands here. */
  word<T>(name: string, table: Readonly<Record<string, T>>): T | null {
    return lookUp(table, this.text(name));
  }

  /** An http(s) address to send a browser to. */
  link(name: string): string | null {
    const value = this.raw(name);
    if (typeof value !== 'string' || value.length > 4_000) return null;
    const url = URL.parse(value);
    return url && /^https?:$/.test(url.protocol) ? url.href : null;
  }

  /** A whole number, zero or more. */
  whole(name: string): number | null {
    const value = this.raw(name);
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
  }

  /** See `readTime`. */
  time(name: string): Date | null {
    return readTime(this.raw(name));
  }
}

/** The table's own entry for a word from outside; null without one. */
export function lookUp<T>(table: Readonly<Record<string, T>>, word: string | null): T | null {
  return word !== null && Object.hasOwn(table, word) ? (table[word] ?? null) : null;
}

/** A moment: epoch milliseconds or seconds, or ISO text; text without a zone is taken as UTC. Null for anything else. */
export function readTime(value: unknown): Date | null {
  if (typeof value === 'number') return moment(value < MAX_SECONDS ? value * 1_000 : value);
  if (typeof value !== 'string') return null;
  if (/^\d{9,14}$/.test(value)) return readTime(Number(value));
  const [, day, time, zone = 'Z'] = TIME.exec(value.trim()) ?? [];
  return day === undefined ? null : moment(Date.parse(`${day}T${time}${zone}`));
}

function moment(ms: number): Date | null {
  return ms >= EARLIEST && ms < LATEST ? new Date(Math.trunc(ms)) : null;
}

/** The JSON object in `raw`; empty fields when it is none. */
export function parseFields(raw: Uint8Array): Fields {
  try {
    return new Fields(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw)));
  } catch {
    return new Fields(null);
  }
}
