import type { Archive } from './open-archive.ts';
import { type Attributes, attributeOf, parseXml, type XmlVisitor } from './parse-xml.ts';
import { BoundedText, type Found, type ReadingLimits } from './reading-rules.ts';

/** Parts beside the body, in the order in which they follow it. */
const FURTHER = [/(^|\/)footnotes\d*\.xml$/, /(^|\/)endnotes\d*\.xml$/, /(^|\/)comments\d*\.xml$/];
const AROUND = [/(^|\/)header\d*\.xml$/, /(^|\/)footer\d*\.xml$/];
/** What is no text of its own: a fallback repeats what stands before it, and a moved passage stands where it was moved to. */
const HIDDEN = new Set(['Fallback', 'moveFrom']);

/**
 * Word (ECMA-376 part 1, 17): body, then footnotes, endnotes, comments, headers and footers. What tracked changes deleted or moved away
 * is left out; cells of a row are parted by tabs. `main` is the name of the body's part.
 */
export async function readDocx(archive: Archive, main: string, limits: ReadingLimits): Promise<Found> {
  const text = new BoundedText(limits.text);
  await parseXml(archive.read(main), wordVisitor(text));
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  const names = [...archive.names()].filter((name) => name.startsWith(folder)).sort();
  for (const pattern of [...FURTHER, ...AROUND]) {
    for (const name of names.filter((one) => pattern.test(one))) {
      text.endLine();
      await parseXml(archive.read(name), wordVisitor(text));
    }
  }
  return {
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    text: text.toString(),
  };
}

/** Adds the text of WordprocessingML and DrawingML. */
export function wordVisitor(text: BoundedText): XmlVisitor {
  let isText = false;
  let [hidden, numbers, cells] = [0, 0, 0];
  // Paragraphs of one cell stand in one line.
  let isGap = false;
  const rows: number[] = [];
  return {
    open(name, attributes) {
      if (HIDDEN.has(name)) hidden += 1;
      if (hidden) return;
      // The number of a slide, which is no text of it.
      if (name === 'fld' && attributes.type === 'slidenum') numbers += 1;
      isText = name === 't';
      if (name === 'tr') {
        rows.push(cells);
        cells = 0;
      } else if (name === 'tc') {
        if (cells > 0) text.add('\t');
        cells += 1;
        isGap = false;
      } else if (name === 'p' && cells === 0) text.endLine();
      else text.add(signOf(name, attributes));
    },
    text(piece) {
      if (!isText || hidden || numbers) return;
      text.add(isGap && cells > 0 ? ` ${piece}` : piece);
      isGap = false;
    },
    close(name) {
      if (HIDDEN.has(name)) hidden -= 1;
      if (hidden) return;
      isText = false;
      if (name === 'fld') numbers = 0;
      if (name === 'p' && cells === 0) text.add('\n');
      else if (name === 'p') isGap = true;
      else if (name === 'tr') {
        text.endLine();
        cells = rows.pop() ?? 0;
      }
    },
  };
}

/** Elements that stand for a character. A tab stop in the settings of a paragraph has a position, a tab in the text has none. */
function signOf(name: string, attributes: Attributes): string {
  if (name === 'tab') return attributeOf(attributes, 'pos') === undefined ? '\t' : '';
  if (name === 'br' || name === 'cr') return '\n';
  return name === 'noBreakHyphen' ? '-' : '';
}
