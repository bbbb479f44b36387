import type { Archive } from './open-archive.ts';
import { type Attributes, attributeOf, parseXml, type XmlVisitor } from './parse-xml.ts';
import { addFields } from './read-xlsx.ts';
import { BoundedText, FileFault, type Found, type ReadingLimits } from './reading-rules.ts';

const PREFIX = 'application/vnd.oasis.opendocument.';
/** What is read, by the name of its body (OpenDocument 1.3 part 3, 3.3). */
const KINDS: Record<string, { page: string | null }> = {
  text: { page: null },
  spreadsheet: { page: 'table' },
  presentation: { page: 'page' },
};
/** What a tracked change deleted, readings of ideographs, and numbers that are counted when it is shown. */
const HIDDEN = new Set(['tracked-changes', 'ruby-text', 'page-number', 'page-count', 'note-citation']);
/** Empty cells and spaces that are written as a number; beyond it they are filling to the edge of the sheet. */
const MAX_REPEATED = 1_024;

/** The kind of an OpenDocument file by its MIME type, `text` for an odt; null for what is not read. */
export function openDocumentKind(mime: string): string | null {
  const kind = mime.startsWith(PREFIX) ? mime.slice(PREFIX.length).replace(/-template$/, '') : '';
  return Object.hasOwn(KINDS, kind) ? kind : null;
}

/** odt, ods and odp: `kind` as `openDocumentKind` says. Throws `file_encrypted` where it needs a password. */
export async function readOpenDocument(
  archive: Archive,
  kind: string,
  limits: ReadingLimits,
): Promise<Found> {
  if (await isEncrypted(archive)) throw new FileFault('file_encrypted');
  const text = new BoundedText(limits.text);
  const page = KINDS[kind]?.page ?? null;
  let pages = 0;
  const visitor = kind === 'spreadsheet' ? sheetVisitor(text) : bodyVisitor(text);
  await parseXml(archive.read('content.xml'), {
    ...visitor,
    open(name, attributes) {
      if (name === page) {
        pages += 1;
        if (pages > limits.pages) throw new FileFault('file_too_complex', 'too many pages');
      }
      visitor.open?.(name, attributes);
    },
  });
  return { type: `${PREFIX}${kind}`, text: text.toString(), ...(page ? { pages } : {}) };
}

async function isEncrypted(archive: Archive): Promise<boolean> {
  let found = false;
  if (!archive.has('META-INF/manifest.xml')) return found;
  await parseXml(archive.read('META-INF/manifest.xml'), {
    open(name) {
      if (name === 'encryption-data') found = true;
    },
  });
  return found;
}

/** Paragraphs and headings line by line; cells of a row parted by tabs. */
function bodyVisitor(text: BoundedText): XmlVisitor {
  let [paragraphs, hidden, cells, depth] = [0, 0, 0, 0];
  let isGap = false;
  return {
    open(name, attributes) {
      if (HIDDEN.has(name)) hidden += 1;
      if (hidden) return;
      if (name === 'table') depth += 1;
      if (name === 'table-row') cells = 0;
      if (name === 'table-cell') {
        if (cells > 0) text.add('\t');
        cells += 1;
        isGap = false;
      }
      if (name === 'p' || name === 'h') {
        if (paragraphs === 0 && !depth) text.endLine();
        paragraphs += 1;
      }
      text.add(signOf(name, attributes));
    },
    text(piece) {
      if (!paragraphs || hidden) return;
      text.add(`${isGap ? ' ' : ''}${piece.replace(/\s+/g, ' ')}`);
      isGap = false;
    },
    close(name) {
      if (HIDDEN.has(name)) hidden -= 1;
      if (hidden) return;
      if (name === 'table') {
        depth -= 1;
        isGap = false;
      }
      if (name === 'table-row') text.endLine();
      if (name === 'p' || name === 'h') {
        paragraphs -= 1;
        if (depth) isGap = true;
        else text.add('\n');
      }
    },
  };
}

function signOf(name: string, attributes: Attributes): string {
  if (name === 's') return ' '.repeat(Math.min(timesOf(attributes, 'c'), MAX_REPEATED));
  if (name === 'tab') return '\t';
  return name === 'line-break' ? '\n' : '';
}

function sheetVisitor(text: BoundedText): XmlVisitor {
  let fields: string[] = [];
  let value = '';
  let repeated = 1;
  let paragraphs = 0;
  let rowRepeated = 1;
  let comments = 0;
  const addRow = () => {
    while (fields.length && !fields.at(-1)) fields.pop();
    for (let row = 0; fields.length && row < rowRepeated; row += 1) addFields(fields, text);
    fields = [];
  };
  return {
    open(name, attributes) {
      if (name === 'table')
        text.add(`${text.length ? '\n' : ''}# ${attributeOf(attributes, 'name') ?? ''}\n`);
      if (name === 'annotation') comments += 1;
      if (name === 'table-row') rowRepeated = timesOf(attributes, 'number-rows-repeated');
      if (name === 'table-cell' || name === 'covered-table-cell') {
        [value, repeated, paragraphs] = ['', timesOf(attributes, 'number-columns-repeated'), 0];
      }
      if (name === 'p') {
        if (paragraphs && !comments) value += '\n';
        paragraphs += 1;
      }
      value += signOf(name, attributes);
    },
    text(piece) {
      if (paragraphs && !comments) value += piece.replace(/\s+/g, ' ');
    },
    close(name) {
      if (name === 'annotation') comments -= 1;
      if (name === 'table-cell' || name === 'covered-table-cell') {
        // Blank cells to the edge of the sheet are one of 16,000; a value that often is a bomb, and counted as it is.
        for (let cell = 0; cell < Math.min(repeated, 16_384); cell += 1) fields.push(value.trim());
        [value, paragraphs] = ['', 0];
        if (fields.length > 65_536) throw new FileFault('file_too_complex', 'too many columns');
      }
      if (name === 'table-row') addRow();
    },
  };
}

function timesOf(attributes: Attributes, name: string): number {
  const times = Number(attributeOf(attributes, name) ?? 1);
  return Number.isSafeInteger(times) && times > 0 ? times : 1;
}
