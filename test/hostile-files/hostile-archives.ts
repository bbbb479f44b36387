import { type HostileFile, hostile } from './hostile-file.ts';
import { makeOverlapping, makeZip, type ZipPart } from './make-zip.ts';

const MB = 1_048_576;
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
const relations = (...all: string[]) => `<Relationships>${all.join('')}</Relationships>`;

function office(main: string, content: string | Buffer, more: ZipPart[] = []): Buffer {
  return makeZip([
    { name: '[Content_Types].xml', content: '<Types/>' },
    { name: '_rels/.rels', content: relations(relation('r1', 'officeDocument', main)) },
    { name: main, content },
    ...more,
  ]);
}

const word = (content: string | Buffer, more: ZipPart[] = []) => office('word/document.xml', content, more);
const body = (text: string) =>
  `<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`;

/** A workbook of sheets that all are `sheet`. */
function sheets(sheet: string, { count = 1, shared = '', main = '' } = {}): Buffer {
  const names = Array.from({ length: count }, (_, n) => `<sheet name="S${n}" r:id="r1"/>`);
  return office('xl/workbook.xml', main || `<workbook><sheets>${names.join('')}</sheets></workbook>`, [
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations(
        relation('r1', 'worksheet', 'worksheets/sheet1.xml'),
        relation('r2', 'sharedStrings', 's.xml'),
      ),
    },
    { name: 'xl/s.xml', content: `<sst><si><t>${shared}</t></si></sst>` },
    { name: 'xl/worksheets/sheet1.xml', content: `<worksheet><sheetData>${sheet}</sheetData></worksheet>` },
  ]);
}

/** A workbook of few bytes that reads as a text of `length` characters: one text, named by many cells. */
export const sheetOfOneText = (length: number): Buffer => {
  const shared = '字'.repeat(30_000);
  return sheets(`<row>${'<c t="s"><v>0</v></c>'.repeat(length / shared.length)}</row>`, { shared });
};

function open(kind: string, content: string, manifest = '<manifest/>'): Buffer {
  return makeZip([
    { name: 'mimetype', content: `application/vnd.oasis.opendocument.${kind}` },
    { name: 'META-INF/manifest.xml', content: manifest },
    { name: 'content.xml', content: `<office:document-content>${content}</office:document-content>` },
  ]);
}

function book(page: string, { spine = '<itemref idref="a"/>', more = [] as ZipPart[] } = {}): Buffer {
  return makeZip([
    { name: 'mimetype', content: 'application/epub+zip' },
    { name: 'META-INF/container.xml', content: '<container><rootfile full-path="o/p.opf"/></container>' },
    { name: 'o/p.opf', content: `<package><item id="a" href="a.xhtml"/><spine>${spine}</spine></package>` },
    { name: 'o/a.xhtml', content: page },
    ...more,
  ]);
}

const cut = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * 0.6));

/** Text that deflate makes twenty times shorter: below what only a bomb does. */
function longText(length: number): string {
  const words = Array.from({ length: 2_000 }, (_, n) => `${(n * 2_654_435_761) % 4_294_967_296} word `);
  return words.join('').repeat(Math.ceil(length / words.join('').length));
}

function bombs(): HostileFile[] {
  const spaces = () => Buffer.alloc(64 * MB, ' ');
  const many = () =>
    Array.from({ length: 30 }, (_, n) => ({
      name: `word/footnotes${n}.xml`,
      content: `<f>${'<w:p><w:t>aaaa</w:t></w:p>'.repeat(120_000)}</f>`,
    }));
  return [
    hostile('bomb of spaces', () => word(spaces()), 'file_too_complex'),
    hostile(
      'bomb of honest words',
      () => word(body(`${longText(1_000)}</w:t></w:r></w:p><w:p><w:r><w:t>`.repeat(2_600))),
      'file_too_complex',
    ),
    hostile('bomb of many parts', () => word(body('a'), many()), 'file_too_complex'),
    hostile(
      'bomb in the relations',
      () => makeZip([{ name: '_rels/.rels', content: spaces() }]),
      'file_too_complex',
    ),
    hostile(
      'bomb as mimetype',
      () => makeZip([{ name: 'mimetype', content: spaces() }]),
      'file_type_unsupported',
    ),
    hostile('entries that overlap', () => makeOverlapping(5_000), 'file_too_complex'),
    hostile(
      '20,000 entries',
      () => makeZip(Array.from({ length: 20_000 }, (_, n) => ({ name: `${n}`, content: '' }))),
      'file_too_complex',
    ),
    hostile(
      'length that is too small',
      () => word(body('a'), [{ name: 'word/footnotes.xml', content: body('b'.repeat(MB)), claimed: 10 }]),
      'file_unreadable',
    ),
    hostile(
      'length that is too large',
      () => word(body('a'), [{ name: 'word/footnotes.xml', content: body('b'), claimed: MB }]),
      'file_unreadable',
    ),
    hostile(
      'entries that are not there',
      () => makeZip([{ name: 'a', content: 'a' }], 60_000),
      'file_unreadable',
      'file_too_complex',
    ),
    hostile(
      'a ZIP in a ZIP',
      () => makeZip([{ name: 'a.zip', content: makeZip([{ name: 'b', content: spaces() }]) }]),
      'file_type_unsupported',
    ),
    hostile(
      'a ZIP of programs',
      () => makeZip([{ name: 'run.exe', content: 'MZ' }]),
      'file_type_unsupported',
    ),
    hostile('a ZIP of nothing', () => makeZip([]), 'file_type_unsupported'),
    hostile(
      'names that lead outside',
      () => makeZip([{ name: '../../etc/passwd', content: 'a' }]),
      'file_unreadable',
    ),
  ];
}

function xml(): HostileFile[] {
  const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join(
    '',
  );
  const type = `<!DOCTYPE a [<!ENTITY l0 "lol">${laughs}<!ENTITY f SYSTEM "file:///etc/passwd">]>`;
  const long = () => 'a'.repeat(20 * MB - 1);
  const attributes = () => Array.from({ length: 250_000 }, (_, n) => `a${n}="1"`).join(' ');
  return [
    hostile('a billion laughs', () => word(type + body('&l9;')), 'file_unreadable'),
    hostile('an entity from the disk', () => word(type + body('&f;')), 'file_unreadable'),
    hostile('a comment of 20 MB', () => word(`<a><!--${longText(20 * MB)}--></a>`), 'file_too_complex'),
    hostile('a comment that repeats', () => word(`<a><!--${long()}--></a>`), 'file_too_complex'),
    hostile('a CDATA of 20 MB', () => word(`<a><![CDATA[${longText(20 * MB)}]]></a>`), 'file_too_complex'),
    hostile('an instruction of 20 MB', () => word(`<a><?a ${longText(20 * MB)}?></a>`), 'file_too_complex'),
    hostile('a DOCTYPE of 20 MB', () => word(`<!DOCTYPE a [${longText(20 * MB)}]><a/>`), 'file_too_complex'),
    hostile('a name of 20 MB', () => word(`<${long()}/>`), 'file_too_complex'),
    hostile(
      '100,000 elements deep',
      () => word('<a>'.repeat(100_000) + '</a>'.repeat(100_000)),
      'file_too_complex',
    ),
    hostile('250,000 attributes', () => word(`<a ${attributes()}/>`), 'file_too_complex'),
    hostile('no XML', () => word('PK nonsense'), 'file_unreadable'),
    hostile('XML that ends early', () => word(body('a').slice(0, -12)), 'file_unreadable'),
    hostile(
      'bytes that are no UTF-8',
      () => word(Buffer.from('<a>\xff\xfe</a>', 'latin1')),
      'file_unreadable',
    ),
    hostile(
      'an unknown encoding',
      () => word('<?xml version="1.0" encoding="nonsense"?><a/>'),
      'file_unreadable',
    ),
    hostile('an empty part', () => word(''), 'file_unreadable'),
  ];
}

const rows = '<row><c r="XFC1" t="str"><v>a</v></c></row>'.repeat(20_000);
const slideOfItself = [
  {
    name: 'ppt/_rels/presentation.xml.rels',
    content: relations(relation('r1', 'slide', 'presentation.xml')),
  },
];
const slides = (count: number) =>
  office(
    'ppt/presentation.xml',
    `<p><sldIdLst>${'<p:sldId r:id="r1"/>'.repeat(count)}</sldIdLst></p>`,
    slideOfItself,
  );

function documents(): HostileFile[] {
  const shared = () =>
    sheets(`<row>${'<c t="s"><v>0</v></c>'.repeat(1_000)}</row>`, { shared: 'b'.repeat(MB / 2) });
  const macro = [{ name: 'word/vbaProject.bin', content: 'Sub AutoOpen()' }];
  return [
    hostile('a macro', () => word(body('a'), macro), 'read'),
    hostile(
      'a part that is missing',
      () =>
        makeZip([
          { name: '_rels/.rels', content: relations(relation('r', 'officeDocument', 'word/document.xml')) },
        ]),
      'file_unreadable',
    ),
    hostile(
      'a relation to the disk',
      () =>
        makeZip([
          {
            name: '_rels/.rels',
            content: relations(relation('r', 'officeDocument', '../../word/../etc/passwd')),
          },
        ]),
      'file_type_unsupported',
    ),
    hostile(
      'an encrypted part',
      () =>
        makeZip([
          { name: '_rels/.rels', content: relations(relation('r', 'officeDocument', 'word/d.xml')) },
          { name: 'word/d.xml', content: 'a', isEncrypted: true },
        ]),
      'file_encrypted',
    ),
    hostile('a string shown a thousand times', shared, 'file_too_complex'),
    hostile('cells at the right edge', () => sheets(rows), 'file_too_complex'),
    hostile(
      'a cell beyond the edge',
      () => sheets('<row><c r="ZZZ1"><v>1</v></c></row>'),
      'file_too_complex',
    ),
    hostile('10,000 sheets', () => sheets('<row/>', { count: 10_000 }), 'file_too_complex'),
    hostile(
      'one sheet shown 1,500 times',
      () => sheets(`<row><c><v>1</v></c></row>`.repeat(30_000), { count: 1_500 }),
      'file_too_complex',
    ),
    hostile(
      'numbers that are none',
      () => sheets('<row><c s="9"><v>1e999</v></c><c t="s"><v>-1</v></c><c t="s"><v>x</v></c></row>'),
      'read',
    ),
    hostile('a binary workbook', () => office('xl/workbook.bin', 'a'), 'file_type_unsupported'),
    hostile('5,000 slides', () => slides(5_000), 'file_too_complex'),
    hostile('a slide that is the presentation', () => slides(3), 'read'),
  ];
}

function openDocumentsAndBooks(): HostileFile[] {
  const drm = {
    name: 'META-INF/encryption.xml',
    content: '<e><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></e>',
  };
  return [
    hostile(
      'a billion cells',
      () =>
        open(
          'spreadsheet',
          '<table:table><table:table-row table:number-rows-repeated="1000000000"><table:table-cell table:number-columns-repeated="1000000000"><text:p>a</text:p></table:table-cell></table:table-row></table:table>',
        ),
      'file_too_complex',
    ),
    hostile(
      'a billion blanks',
      () => open('text', '<text:p><text:s text:c="1000000000"/></text:p>'.repeat(40_000)),
      'file_too_complex',
    ),
    hostile(
      'an encrypted odt',
      () => open('text', 'nonsense', '<manifest><encryption-data/></manifest>'),
      'file_encrypted',
    ),
    hostile('an OpenDocument drawing', () => open('graphics', ''), 'file_type_unsupported'),
    hostile(
      'a book with a script',
      () => book('<html><body><script>alert(1)</script><p>text</p></body></html>'),
      'read',
    ),
    hostile('a book of broken HTML', () => book('<html><p>a<b>b</p>&nosuch; < c <br>'), 'read'),
    hostile(
      'a page shown 100,000 times',
      () => book('<p>a</p>', { spine: '<itemref idref="a"/>'.repeat(100_000) }),
      'read',
    ),
    hostile('a book with DRM', () => book('nonsense', { more: [drm] }), 'file_encrypted'),
    hostile(
      'a book without a package',
      () => makeZip([{ name: 'mimetype', content: 'application/epub+zip' }]),
      'file_unreadable',
    ),
    hostile('docx cut', () => cut(word(body(longText(MB)))), 'file_unreadable'),
    hostile('xlsx cut', () => cut(sheets(rows)), 'file_unreadable'),
    hostile('pptx cut', () => cut(slides(3)), 'file_unreadable'),
    hostile('odt cut', () => cut(open('text', '<text:p>a</text:p>')), 'file_unreadable'),
    hostile('epub cut', () => cut(book('<p>a</p>')), 'file_unreadable'),
  ];
}

/** Old Office files: a compound file's head, and the name of a stream in its directory. */
function compound(stream: string): Buffer {
  const head = Buffer.alloc(1_536);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(head);
  head.write(stream, 1_024, 'utf16le');
  return head;
}

export function hostileArchives(): HostileFile[] {
  return [
    ...bombs(),
    ...xml(),
    ...documents(),
    ...openDocumentsAndBooks(),
    hostile('an old Word file', () => compound('WordDocument'), 'file_type_unsupported'),
    hostile('an encrypted Office file', () => compound('EncryptedPackage'), 'file_encrypted'),
  ];
}
