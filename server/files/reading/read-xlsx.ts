import { DAY_MS } from '#contract/time.ts';
import type { Archive } from './open-archive.ts';
import { attributeOf, parseXml } from './parse-xml.ts';
import { type Relations, readRelations } from './read-relations.ts';
import { BoundedText, FileFault, type Found, type ReadingLimits } from './reading-rules.ts';

interface Workbook {
  sheets: { name: string; id: string }[];
  /** Days are counted from 1904 instead of 1900. */
  isFrom1904: boolean;
}

/** What a number of a cell is: a day, a length of time in days, or a number. */
type Meaning = 'day' | 'length' | 'number';

interface Texts {
  shared: string[];
  /** For each cell style, what its numbers are. */
  meanings: Meaning[];
  isFrom1904: boolean;
}

const MAX_COLUMNS = 16_384;

/** Excel (ECMA-376 part 1, 18): each sheet as CSV under its name, with the values that were last computed. Days are ISO 8601. */
export async function readXlsx(archive: Archive, main: string, limits: ReadingLimits): Promise<Found> {
  const relations = await readRelations(archive, main);
  const workbook = await readWorkbook(archive, main);
  if (workbook.sheets.length > limits.pages) throw new FileFault('file_too_complex', 'too many sheets');
  const texts = {
    shared: await readShared(archive, relations, limits),
    meanings: await readStyles(archive, relations),
    isFrom1904: workbook.isFrom1904,
  };
  const text = new BoundedText(limits.text);
  for (const { name, id } of workbook.sheets) {
    const part = relations.byId.get(id);
    if (text.length) text.add('\n');
    text.add(`# ${name}\n`);
    if (part && archive.has(part)) await readSheet(archive, part, texts, text);
  }
  return {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    text: text.toString(),
    pages: workbook.sheets.length,
  };
}

/** Adds a line of CSV (RFC 4180), field by field, so that its limit holds for one line too. */
export function addFields(fields: readonly string[], text: BoundedText): void {
  for (const [column, field] of fields.entries()) {
    if (column > 0) text.add(',');
    text.add(/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
  }
  if (fields.length) text.add('\n');
}

async function readWorkbook(archive: Archive, main: string): Promise<Workbook> {
  const workbook: Workbook = { sheets: [], isFrom1904: false };
  await parseXml(archive.read(main), {
    open(name, attributes) {
      if (name === 'sheet')
        workbook.sheets.push({ name: attributes.name ?? '', id: attributeOf(attributes, ':id') ?? '' });
      if (name === 'workbookPr') workbook.isFrom1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
    },
  });
  return workbook;
}

/** Texts that cells name by number. Readings of ideographs (`rPh`) are no part of them. */
async function readShared(archive: Archive, relations: Relations, limits: ReadingLimits): Promise<string[]> {
  const part = relations.byType.get('sharedStrings');
  const shared: string[] = [];
  if (!part || !archive.has(part)) return shared;
  const bound = new BoundedText(limits.inflated);
  let [current, isText, readings] = ['', false, 0];
  await parseXml(archive.read(part), {
    open(name) {
      if (name === 'si') current = '';
      if (name === 'rPh') readings += 1;
      isText = name === 't' && readings === 0;
    },
    text(piece) {
      if (isText) current += piece;
    },
    close(name) {
      if (name === 'rPh') readings -= 1;
      isText = false;
      if (name !== 'si') return;
      bound.add(current);
      shared.push(current);
    },
  });
  return shared;
}

/** For each style of cells, what it shows: formats by number (18.8.30, and those of East Asia), and others by their letters. */
async function readStyles(archive: Archive, relations: Relations): Promise<Meaning[]> {
  const part = relations.byType.get('styles');
  const meanings: Meaning[] = [];
  if (!part || !archive.has(part)) return meanings;
  const own = new Map<number, Meaning>();
  let isInCells = false;
  await parseXml(archive.read(part), {
    open(name, attributes) {
      const id = Number(attributes.numFmtId);
      if (name === 'numFmt') own.set(id, meaningOf(attributes.formatCode ?? ''));
      if (name === 'cellXfs') isInCells = true;
      if (name === 'xf' && isInCells) meanings.push(own.get(id) ?? builtInMeaning(id));
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return meanings;
}

/** `[h]:mm:ss`, which counts hours beyond a day. */
const LENGTH_FORMAT = 46;

function builtInMeaning(id: number): Meaning {
  if (id === LENGTH_FORMAT) return 'length';
  const isDay =
    (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
  return isDay ? 'day' : 'number';
}

function meaningOf(code: string): Meaning {
  const known = code.slice(0, 200).replace(/"[^"]*"|\\.|_./g, '');
  if (/\[(h+|m+|s+)\]/i.test(known)) return 'length';
  const letters = known.replace(/\[[^\]]*\]/g, '');
  return /[ymdhs年月日]/i.test(letters) && !/general/i.test(letters) ? 'day' : 'number';
}

async function readSheet(archive: Archive, part: string, texts: Texts, text: BoundedText): Promise<void> {
  let fields: string[] = [];
  let [type, style, value, isValue] = ['', -1, '', false];
  const addRow = () => {
    while (fields.length && !fields.at(-1)) fields.pop();
    addFields(fields, text);
    fields = [];
  };
  await parseXml(archive.read(part), {
    open(name, attributes) {
      if (name === 'c') {
        type = attributes.t ?? 'n';
        style = Number(attributes.s ?? -1);
        value = '';
        const column = columnOf(attributes.r);
        while (column !== null && fields.length < column) fields.push('');
        if (fields.length >= MAX_COLUMNS) throw new FileFault('file_too_complex', 'too many columns');
      }
      isValue = name === 'v' || name === 't';
    },
    text(piece) {
      if (isValue) value += piece;
    },
    close(name) {
      isValue = false;
      if (name === 'c') fields.push(cellText(type, style, value, texts));
      if (name === 'row') addRow();
    },
  });
}

/** `AB12` is 27, counted from 0; null where a cell does not say. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (!letters) return null;
  return Math.min([...letters].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0) - 1, MAX_COLUMNS);
}

function cellText(type: string, style: number, value: string, texts: Texts): string {
  // Producers write the kind of a blank cell too.
  if (value === '') return '';
  if (type === 's') return texts.shared[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n') return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  if (texts.meanings[style] === 'length') return lengthOf(number);
  if (texts.meanings[style] === 'day') return dayOf(number, texts.isFrom1904) ?? value;
  // Excel shows 15 digits of what is stored in binary.
  return /[.eE]/.test(value) ? String(Number(number.toPrecision(15))) : value;
}

/** A length of time in days, as hours, minutes and seconds: `36:00:00`. */
function lengthOf(days: number): string {
  const seconds = Math.round((Math.abs(days) * DAY_MS) / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return days < 0 ? `-${clock}` : clock;
}

/** A serial day as ISO 8601, without the time at midnight; below one day the time alone. */
function dayOf(serial: number, isFrom1904: boolean): string | null {
  const epoch = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const time = new Date(epoch + Math.round((serial * DAY_MS) / 1000) * 1000);
  if (serial < 0 || Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999) return null;
  const [day = '', clock = ''] = time.toISOString().slice(0, 19).split('T');
  if (serial < 1) return clock;
  return clock === '00:00:00' ? day : `${day} ${clock}`;
}
