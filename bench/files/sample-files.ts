import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { someBytes } from '#test/files/files.ts';
import { flate, HELVETICA, makePdf } from '#test/hostile-files/make-pdf.ts';
import { makeZip, type ZipPart } from '#test/hostile-files/make-zip.ts';
import type { SampleFile } from './uploader.ts';

/** Characters of running Chinese text; which comes next is chance, so that files are packed no better than real ones. */
const CHARACTERS = [
  ...'的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多',
];
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const PHOTO = { width: 4_000, height: 3_000 };
const PDF = { pages: 30, lines: 40, characters: 36 };
const DOCX = { paragraphs: 400, characters: 80 };
const XLSX = { sheets: 3, rows: 1_000, texts: 4, numbers: 6 };
const TEXT_BYTES = 1_000_000;
const SMALL_BYTES = 100_000;
/** Of a PNG of chance, stored as it is: nearly 20 MB, which is the limit. */
const LARGE = { width: 2_640, height: 2_630 };

function chineseText(characters: number): string {
  const pick = (byte: number) => CHARACTERS[byte % CHARACTERS.length] ?? '';
  return Array.from(randomBytes(characters), pick).join('');
}

/** The largest file that may be uploaded: a picture that nothing makes smaller. */
export async function makeLarge(): Promise<SampleFile> {
  const raw = { ...LARGE, channels: 3 as const };
  const noise = randomBytes(LARGE.width * LARGE.height * 3);
  return { name: 'large.png', bytes: await sharp(noise, { raw }).png({ compressionLevel: 0 }).toBuffer() };
}

/** Letters and signs by chance. */
export function makeSmall(): SampleFile {
  return { name: 'small.txt', bytes: someBytes(SMALL_BYTES) };
}

/** What people attach, by what it is called in the table. */
export async function makeTypical(): Promise<Record<string, SampleFile>> {
  return {
    'photo of 12 megapixels, JPEG': { name: 'photo.jpg', bytes: await makePhoto() },
    'PDF of 30 pages, Chinese': { name: 'report.pdf', bytes: makeReport() },
    'docx, 400 paragraphs': { name: 'letter.docx', bytes: makeDocx() },
    'xlsx, 30,000 cells': { name: 'table.xlsx', bytes: makeXlsx() },
    'text of 1 MB': { name: 'notes.txt', bytes: Buffer.from(chineseText(TEXT_BYTES / 3)) },
  };
}

/** With soft shapes and the notes of a camera. */
function makePhoto(): Promise<Buffer> {
  const [width, height] = [PHOTO.width / 4, PHOTO.height / 4];
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .resize(PHOTO.width, PHOTO.height)
    .withExif({ IFD0: { Make: 'Bench', Model: 'Camera' } })
    .jpeg({ quality: 85 })
    .toBuffer();
}

/** With a font that is not inside, as Chinese offices write it. */
function makeReport(): Buffer {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex');
  const objects: Record<number, string | Buffer> = {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    3: HELVETICA,
    4: '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [5 0 R] >>',
    5: '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> /FontDescriptor 6 0 R /DW 1000 >>',
    6: '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 752 /Descent -271 /CapHeight 737 /StemV 58 >>',
  };
  const kids: string[] = [];
  for (let page = 1; page <= PDF.pages; page += 1) {
    const number = 5 + 2 * page;
    const lines = Array.from({ length: PDF.lines }, () => `<${utf16(chineseText(PDF.characters))}> Tj T*`);
    const fonts = '/Font << /F1 3 0 R /F2 4 0 R >>';
    objects[number] =
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${number + 1} 0 R /Resources << ${fonts} >> >>`;
    objects[number + 1] = flate(
      `BT /F2 12 Tf 18 TL 60 780 Td ${lines.join(' ')} /F1 9 Tf (Page ${page}) Tj ET`,
    );
    kids.push(`${number} 0 R`);
  }
  objects[2] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${PDF.pages} >>`;
  return makePdf(objects);
}

function makeDocx(): Buffer {
  const paragraph = () => `<w:p><w:r><w:t>${chineseText(DOCX.characters)}</w:t></w:r></w:p>`;
  const paragraphs = Array.from({ length: DOCX.paragraphs }, paragraph).join('');
  const document = `<w:document xmlns:w="w"><w:body>${paragraphs}</w:body></w:document>`;
  return office('word/document.xml', document);
}

function makeXlsx(): Buffer {
  const shared = Array.from(
    { length: XLSX.rows * XLSX.texts },
    () => `<si><t>${chineseText(8)}</t></si>`,
  ).join('');
  const row = (number: number) => {
    const texts = Array.from({ length: XLSX.texts }, (_, n) => (number - 1) * XLSX.texts + n);
    const cells = texts.map((text) => `<c t="s"><v>${text}</v></c>`);
    const numbers = Array.from(randomBytes(XLSX.numbers), (byte) => `<c><v>${byte * 12.34}</v></c>`);
    return `<row r="${number}">${cells.join('')}${numbers.join('')}</row>`;
  };
  const rows = Array.from({ length: XLSX.rows }, (_, index) => row(index + 1)).join('');
  const sheets = Array.from({ length: XLSX.sheets }, (_, index) => index + 1);
  const named = sheets.map((n) => `<sheet name="Sheet${n}" r:id="r${n}"/>`).join('');
  const relations = [
    ...sheets.map((n) => relation(`r${n}`, 'worksheet', `worksheets/sheet${n}.xml`)),
    relation('r9', 'sharedStrings', 'sharedStrings.xml'),
  ];
  return office('xl/workbook.xml', `<workbook><sheets>${named}</sheets></workbook>`, [
    { name: 'xl/_rels/workbook.xml.rels', content: relationsPart(relations) },
    { name: 'xl/sharedStrings.xml', content: `<sst>${shared}</sst>` },
    ...sheets.map((n) => ({
      name: `xl/worksheets/sheet${n}.xml`,
      content: `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    })),
  ]);
}

function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
}

function relationsPart(relations: string[]): string {
  return `<Relationships>${relations.join('')}</Relationships>`;
}

function office(main: string, content: string, more: ZipPart[] = []): Buffer {
  return makeZip([
    { name: '[Content_Types].xml', content: '<Types/>' },
    { name: '_rels/.rels', content: relationsPart([relation('r1', 'officeDocument', main)]) },
    { name: main, content },
    ...more,
  ]);
}
