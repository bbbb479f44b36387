import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { FileFault } from './reading-rules.ts';

const MAX_DEPTH = 512;
/** Characters of one tag, comment or text: what the parser gathers before it tells of it. */
const MAX_TOKEN = 2_097_152;
const PIECE = 65_536;

export type Attributes = Record<string, string>;

/** What is reported of a document. Names are without their prefix; so `w:t` and `a:t` are `t`. */
export interface XmlVisitor {
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

export interface XmlOptions {
  /** Faults of form are passed over, as browsers do: for XHTML that people wrote. */
  isLenient?: boolean;
  /** Further entities by name. */
  entities?: Record<string, string>;
}

/**
 * Walks through an XML document as its bytes come. Entities of its own are not expanded and nothing outside is fetched. Throws
 * `file_unreadable` for what is no XML, and `file_too_complex` where it nests deeper than 512 or a token is longer than 2 MB.
 */
export async function parseXml(
  pieces: AsyncIterable<Buffer>,
  visitor: XmlVisitor,
  { isLenient = false, entities = {} }: XmlOptions = {},
): Promise<void> {
  const parser = new SaxesParser();
  Object.assign(parser.ENTITIES, entities);
  let depth = 0;
  let tokenFrom = 0;
  parser.on('error', (fault) => {
    if (!isLenient) throw new FileFault('file_unreadable', fault.message);
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    tokenFrom = parser.position;
    if (depth > MAX_DEPTH) throw new FileFault('file_too_complex', 'XML nests too deep');
    visitor.open?.(localName(name), attributes as Attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    tokenFrom = parser.position;
    visitor.close?.(localName(name));
  });
  parser.on('text', (text) => {
    tokenFrom = parser.position;
    visitor.text?.(text);
  });
  const write = (text: string) => {
    for (let at = 0; at < text.length; at += PIECE) {
      parser.write(text.slice(at, at + PIECE));
      if (parser.position - tokenFrom > MAX_TOKEN)
        throw new FileFault('file_too_complex', 'XML token too long');
    }
  };
  let decoder: TextDecoder | null = null;
  for await (const piece of pieces) {
    decoder ??= decoderOf(piece);
    write(decode(decoder, piece));
  }
  write(decode(decoder ?? new TextDecoder()));
  parser.close();
}

/** The value of an attribute whatever its prefix is; of `id` and `r:id` the latter is meant by `:id`. */
export function attributeOf(attributes: Attributes, name: string): string | undefined {
  if (name in attributes) return attributes[name];
  const suffix = name.startsWith(':') ? name : `:${name}`;
  const key = Object.keys(attributes).find((one) => one.endsWith(suffix));
  return key === undefined ? undefined : attributes[key];
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function decoderOf(head: Buffer): TextDecoder {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  const declared = /^[^>]{0,100}encoding=["']([\w-]{1,20})["']/.exec(head.toString('latin1', 0, 200));
  try {
    return new TextDecoder(declared?.[1] ?? 'utf-8', { fatal: true });
  } catch {
    throw new FileFault('file_unreadable', 'unknown encoding');
  }
}

function decode(decoder: TextDecoder, piece?: Buffer): string {
  try {
    return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
  } catch {
    throw new FileFault('file_unreadable', 'invalid characters');
  }
}
