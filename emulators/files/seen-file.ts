import { createHash } from 'node:crypto';

/** A picture or document that a request gives the model to read. */
export interface SeenFile {
  /** Null where the request does not say it. */
  name: string | null;
  /** MIME type. */
  type: string;
  bytes: number;
  /** Of its bytes, in hex. */
  sha256: string;
  /** Pages of a PDF, pixels of a PNG, and the beginning of a text: as far as they are easily found. */
  pages: number | null;
  pixels: [width: number, height: number] | null;
  text: string | null;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_HEADER = 24;
const PDF_PAGE = /\/Type\s*\/Page(?![a-zA-Z])/g;

/** What a model would notice first of a file. */
export function seeFile(data: Buffer, type: string, name: string | null): SeenFile {
  const isPng = data.length >= PNG_HEADER && data.subarray(0, PNG.length).equals(PNG);
  const pages = type === 'application/pdf' ? data.toString('latin1').match(PDF_PAGE)?.length : undefined;
  return {
    name,
    type,
    bytes: data.length,
    sha256: createHash('sha256').update(data).digest('hex'),
    pages: pages ?? null,
    pixels: isPng ? [data.readUInt32BE(16), data.readUInt32BE(20)] : null,
    text: type.startsWith('text/') ? data.toString('utf8') : null,
  };
}

/** A text that stands for a file: its name, its type, and what stands between two marks. */
const TOLD =
  /The file "([^\n]*)" \(([^\n)]*)\) was given by the user[^\n]*\n<<<file ([0-9a-f]+)\n([\s\S]*?)\nfile \3>>>\n?/g;
const NAMED = /\[(?:image|file): ([^\n]*)\]\n?$/;
const NAMES = /\[(?:image|file): [^\n]*?\]\n?/g;

/** Parts a text into what was said, without the names of files, and the files whose content stands in it. */
export function readTold(text: string): { said: string; files: SeenFile[] } {
  const files = [...text.matchAll(TOLD)].map(([, name = '', type = '', , content = '']) => ({
    ...seeFile(Buffer.from(content), type, name),
    text: content,
  }));
  return { said: text.replace(TOLD, '').replace(NAMES, ''), files };
}

/** The name that stands at the end of the text before a file; null without one. */
export function readNameBefore(text: string | undefined): string | null {
  return NAMED.exec(text ?? '')?.[1] ?? null;
}

/** The bytes of a `data:` URL and their type; null for anything else. */
export function readDataUrl(url: string): { type: string; data: Buffer } | null {
  const [, type, base64] = /^data:([\w.+/-]+);base64,([A-Za-z0-9+/]*={0,2})$/.exec(url) ?? [];
  return type === undefined || base64 === undefined ? null : { type, data: Buffer.from(base64, 'base64') };
}

const LONG = 2_000;

/** A request's body for the log: base64 that is long is named by its length and SHA-256. */
export function withoutLongData(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONG ? nameData(value) : value;
  if (Array.isArray(value)) return value.map(withoutLongData);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutLongData(each)]));
}

function nameData(text: string): string {
  const head = /^data:[\w.+/-]{1,100};base64,/.exec(text.slice(0, 200))?.[0] ?? '';
  const base64 = text.slice(head.length);
  const data = Buffer.from(base64, 'base64');
  // What is not base64 through and through loses characters; a pattern over megabytes may run out of stack.
  if (data.toString('base64').length !== base64.length) return text;
  return `${head}${data.length} bytes, sha256 ${createHash('sha256').update(data).digest('hex')}`;
}
