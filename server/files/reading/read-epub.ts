import type { Archive } from './open-archive.ts';
import { parseXml, type XmlVisitor } from './parse-xml.ts';
import { resolvePart } from './read-relations.ts';
import { BoundedText, FileFault, type Found, type ReadingLimits } from './reading-rules.ts';

const BLOCKS = new Set(
  'address article aside blockquote body br dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table title tr ul'.split(
    ' ',
  ),
);
const HIDDEN = new Set(['head', 'script', 'style', 'rt', 'rp']);
/** Entities that XHTML has and XML has not, as far as books have them. */
const ENTITIES = {
  nbsp: '\u00a0',
  ensp: '\u2002',
  emsp: '\u2003',
  shy: '',
  mdash: '—',
  ndash: '–',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  middot: '·',
  bull: '•',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  times: '×',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  uuml: 'ü',
  ouml: 'ö',
  auml: 'ä',
  szlig: 'ß',
};
/** Fonts may be scrambled so (EPUB 3.3, 4.3.4): the text is not. */
const OF_FONTS = /obfuscation|ns\.adobe\.com\/pdf\/enc#RC/;

/** EPUB 2 and 3: its documents in reading order. Throws `file_encrypted` where they are (DRM). */
export async function readEpub(archive: Archive, limits: ReadingLimits): Promise<Found> {
  if (await isEncrypted(archive)) throw new FileFault('file_encrypted');
  const parts = await listSpine(archive, await findPackage(archive));
  if (parts.length > limits.entries) throw new FileFault('file_too_complex', 'too many documents');
  const text = new BoundedText(limits.text);
  for (const part of parts) {
    if (!archive.has(part)) continue;
    if (text.length) text.add('\n');
    await parseXml(archive.read(part), pageVisitor(text), { isLenient: true, entities: ENTITIES });
  }
  return { type: 'application/epub+zip', text: tidyLines(text.toString()) };
}

/** Books are indented for people who read their source. */
function tidyLines(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/gm, '').replace(/\n{3,}/g, '\n\n');
}

async function isEncrypted(archive: Archive): Promise<boolean> {
  const algorithms: string[] = [];
  if (!archive.has('META-INF/encryption.xml')) return false;
  await parseXml(archive.read('META-INF/encryption.xml'), {
    open(name, { Algorithm }) {
      if (name === 'EncryptionMethod' && Algorithm) algorithms.push(Algorithm);
    },
  });
  return algorithms.some((algorithm) => !OF_FONTS.test(algorithm));
}

async function findPackage(archive: Archive): Promise<string> {
  let path = '';
  await parseXml(archive.read('META-INF/container.xml'), {
    open(name, attributes) {
      if (name === 'rootfile') path ||= attributes['full-path'] ?? '';
    },
  });
  return path;
}

async function listSpine(archive: Archive, path: string): Promise<string[]> {
  const items = new Map<string, string>();
  const spine: string[] = [];
  await parseXml(archive.read(path), {
    open(name, { id = '', href = '', idref = '' }) {
      if (name === 'item') items.set(id, resolvePart(path, unescapePath(href)));
      if (name === 'itemref') spine.push(items.get(idref) ?? '');
    },
  });
  return [...new Set(spine)];
}

function unescapePath(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

function pageVisitor(text: BoundedText): XmlVisitor {
  let hidden = 0;
  return {
    open(name) {
      if (HIDDEN.has(name)) hidden += 1;
      if (BLOCKS.has(name) && !hidden) text.endLine();
      if ((name === 'td' || name === 'th') && !hidden) text.add('\t');
    },
    text(piece) {
      if (!hidden && (text.length || piece.trim())) text.add(piece.replace(/\s+/g, ' '));
    },
    close(name) {
      if (HIDDEN.has(name)) hidden -= 1;
      if (BLOCKS.has(name) && !hidden) text.endLine();
    },
  };
}
