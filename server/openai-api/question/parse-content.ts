import { createHash } from 'node:crypto';
import type { CallPart, ResultPart, TextPart } from '#contract/message/parts.ts';
import type { ContentPart } from '#contract/openai.ts';
import type { KeptParts } from '#server/chat/upstream/transport/kept-parts.ts';
import { sayPart } from '#server/chat/upstream/transport/turn-parts.ts';
import { AppError } from '#server/errors.ts';
import { cleanText } from '#server/platform/clean-text.ts';

/** A picture or file that a request brings, before it is known what it is. */
export interface GivenPart {
  kind: 'given';
  /** Its place in the request. */
  field: string;
  name: string;
  /** It may be nothing else. */
  isPicture: boolean;
  detail: 'low' | 'high' | 'auto';
  /** Its bytes, or where they are. */
  source: { data: Buffer } | { url: string };
}

export type AskedPart = TextPart | GivenPart | CallPart | ResultPart;

export interface AskedTurn {
  role: 'user' | 'model';
  parts: AskedPart[];
  /** Of a turn that is an earlier answer of ours: its parts as its model wrote them. */
  kept?: KeptParts | null;
}

const DATA_URL = /^data:[\w.+-]*\/?[\w.+-]*(?:;[\w=.+-]+)*;base64,/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const MAX_URL = 8_192;
const MAX_NAME = 200;
const DETAILS = { low: 'low', high: 'high', auto: 'auto', original: 'high' } as const;

/**
 * The content parts of a message, texts that follow each other put together. Throws `unsupported_parameter` and `invalid_request`,
 * naming the place.
 */
export function parseContent(
  content: readonly ContentPart[],
  at: { role: string; field: string },
): AskedPart[] {
  const parts: AskedPart[] = [];
  for (const [index, part] of content.entries()) {
    const read = parsePart(part, { role: at.role, field: `${at.field}.${index}` });
    const last = parts.at(-1);
    if (last?.kind === 'text' && read.kind === 'text') last.text += read.text;
    else parts.push(read);
  }
  return parts.map((part) => (part.kind === 'text' ? { kind: 'text', text: cleanText(part.text) } : part));
}

/** What a turn says in words. */
export function joinTexts(parts: readonly AskedPart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** All that a model reads of a turn as text: what is said, calls, and what they came to. */
export function joinRead(parts: readonly AskedPart[]): string {
  return parts.map((part) => (part.kind === 'given' ? '' : sayPart(part))).join('');
}

/** Whether a turn has more than text. */
export function hasMore(parts: readonly AskedPart[]): boolean {
  return parts.some(({ kind }) => kind !== 'text');
}

/** What stands for a part where two requests are compared. */
export function identifyPart(part: AskedPart): object {
  if (part.kind === 'text') return { text: part.text };
  if (part.kind !== 'given') return part;
  const { name, detail, source } = part;
  return {
    name,
    detail,
    ...('url' in source ? source : { sha256: createHash('sha256').update(source.data).digest('hex') }),
  };
}

function parsePart(part: ContentPart, { role, field }: { role: string; field: string }): AskedPart {
  if (part.type === 'text' || (part.type === 'refusal' && role === 'assistant')) {
    const text = part.type === 'text' ? part.text : part.refusal;
    if (typeof text !== 'string') throw new AppError('invalid_request', { field: `${field}.text` });
    return { kind: 'text', text };
  }
  if (role !== 'user') throw new AppError('unsupported_parameter', { field: `${field}.type` });
  if (part.type === 'image_url') return parsePicture(part, `${field}.image_url`);
  if (part.type === 'file') return parseFile(part, `${field}.file`);
  throw new AppError('unsupported_parameter', { field: `${field}.type` });
}

function parsePicture({ image_url: picture }: ContentPart, field: string): GivenPart {
  if (!picture) throw new AppError('invalid_request', { field });
  const { url, detail } = picture;
  const isAddress = /^https:\/\//i.test(url) && url.length <= MAX_URL;
  const source = isAddress ? { url } : { data: parseDataUrl(url, `${field}.url`) };
  return {
    kind: 'given',
    field: `${field}.url`,
    name: 'image',
    isPicture: true,
    detail: DETAILS[detail ?? 'auto'],
    source,
  };
}

function parseFile({ file }: ContentPart, field: string): GivenPart {
  if (file?.file_id !== undefined && file.file_id !== null) {
    throw new AppError('unsupported_parameter', { field: `${field}.file_id` });
  }
  if (typeof file?.file_data !== 'string')
    throw new AppError('invalid_request', { field: `${field}.file_data` });
  const data = parseDataUrl(file.file_data, `${field}.file_data`);
  const name =
    cleanText(file.filename ?? '')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, MAX_NAME) || 'file';
  return {
    kind: 'given',
    field: `${field}.file_data`,
    name,
    isPicture: false,
    detail: 'auto',
    source: { data },
  };
}

/** The bytes of a `data:` URL; its type is not looked at. Throws `invalid_request`. */
function parseDataUrl(url: string, field: string): Buffer {
  const head = DATA_URL.exec(url.slice(0, 500))?.[0];
  const base64 = head === undefined ? '' : url.slice(head.length);
  if (base64 === '' || !BASE64.test(base64)) throw new AppError('invalid_request', { field });
  return Buffer.from(base64, 'base64');
}
