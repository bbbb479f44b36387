import { deflateSync } from 'node:zlib';
import { type HostileFile, hostile } from './hostile-file.ts';
import { flate, makePdf, onePage, page, stream } from './make-pdf.ts';

const MB = 1_048_576;

function bombs(): HostileFile[] {
  const spaces = () => Buffer.alloc(64 * MB, ' ');
  const numbers = Array.from({ length: 40 }, (_, n) => 10 + n);
  const many = () => {
    const one = flate(Buffer.alloc(30 * MB, ' '));
    return Object.fromEntries(numbers.map((number) => [number, one]));
  };
  const contents = numbers.map((number) => `${number} 0 R`);
  const hidden = page().replace('/Contents 4 0 R', `/Contents [${contents.join(' ')}]`);
  const runs = Buffer.concat([Buffer.alloc(2 * MB, Buffer.from([129, 32])), Buffer.from([128])]);
  return [
    hostile('PDF: flate bomb as content', () => onePage({ 4: flate(spaces()) }), 'file_too_complex'),
    hostile(
      'PDF: flate bomb packed twice',
      () => onePage({ 4: stream(deflateSync(deflateSync(spaces())), '/Filter [/FlateDecode /FlateDecode]') }),
      'file_too_complex',
    ),
    hostile(
      'PDF: flate bomb that says it is a picture',
      () => onePage({ 4: flate(Buffer.alloc(256 * MB, ' '), '/Subtype /Image') }),
      'file_too_complex',
    ),
    hostile(
      'PDF: flate bomb in a short name',
      () => onePage({ 4: stream(deflateSync(spaces()), '/Filter /Fl') }),
      'file_too_complex',
    ),
    hostile('PDF: forty streams of 30 MB', () => onePage({ 3: hidden, ...many() }), 'file_too_complex'),
    hostile(
      'PDF: bomb of objects',
      () => onePage({ 9: stream(deflateSync(spaces()), '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode') }),
      'file_too_complex',
    ),
    hostile(
      'PDF: bomb by run lengths',
      () => onePage({ 4: stream(runs, '/Filter /RunLengthDecode') }),
      'file_too_complex',
      'read',
    ),
    hostile(
      'PDF: honest white picture',
      () =>
        onePage({
          6: flate(
            Buffer.alloc(40 * MB, 255),
            '/Subtype /Image /Width 5000 /Height 8000 /BitsPerComponent 8 /ColorSpace /DeviceGray',
          ),
        }),
      'read',
    ),
  ];
}

function pages(): HostileFile[] {
  const deep = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, n) => [10 + n, `<< /Type /Pages /Kids [${11 + n} 0 R] /Count 1 >>`]),
  );
  return [
    hostile(
      'PDF: pages that hold themselves',
      () => onePage({ 2: '<< /Type /Pages /Kids [2 0 R] /Count 1 >>' }),
      'file_unreadable',
      'read',
    ),
    hostile(
      'PDF: two pages that hold each other',
      () =>
        onePage({
          2: '<< /Type /Pages /Kids [6 0 R] /Count 2 >>',
          6: '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>',
        }),
      'file_unreadable',
      'read',
    ),
    hostile(
      'PDF: a million pages, as it says',
      () => onePage({ 2: '<< /Type /Pages /Kids [3 0 R] /Count 1000000 >>' }),
      'file_too_complex',
      'read',
    ),
    hostile(
      'PDF: 100,000 times one page',
      () => onePage({ 2: `<< /Type /Pages /Kids [${'3 0 R '.repeat(100_000)}] /Count 100000 >>` }),
      'file_too_complex',
    ),
    hostile(
      'PDF: less than no pages',
      () => onePage({ 2: '<< /Type /Pages /Kids [3 0 R] /Count -5 >>' }),
      'file_unreadable',
      'read',
    ),
    hostile(
      'PDF: no pages',
      () => onePage({ 2: '<< /Type /Pages /Kids [] /Count 0 >>' }),
      'file_unreadable',
      'read',
    ),
    hostile(
      'PDF: pages 5,000 deep',
      () => onePage({ 2: '<< /Type /Pages /Kids [10 0 R] /Count 1 >>', ...deep, 5010: page() }),
      'file_unreadable',
      'read',
    ),
    hostile(
      'PDF: more pages said than there are',
      () => onePage({ 2: '<< /Type /Pages /Kids [3 0 R] /Count 900 >>' }),
      'file_unreadable',
      'read',
    ),
    hostile('PDF: no catalogue', () => makePdf({ 7: '<< >>' }), 'file_unreadable'),
    hostile('PDF: the root is a number', () => makePdf({ 1: '7' }), 'file_unreadable'),
  ];
}

function contents(): HostileFile[] {
  const draw = (content: string, entries: string) =>
    stream(content, `/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${entries}`);
  const inSelf = draw('/X Do /X Do', '/Resources << /XObject << /X 6 0 R >> >>');
  const laughs = Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [
      20 + n,
      draw('/X Do '.repeat(10), `/Resources << /XObject << /X ${21 + n} 0 R >> >>`),
    ]),
  );
  const say = draw('BT /F1 1 Tf (lol) Tj ET', '/Resources << /Font << /F1 5 0 R >> >>');
  const map = stream(
    'begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <00000000> <7FFFFFFF> <0000> endbfrange endcmap',
  );
  const font =
    '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /BaseFont /A >>] /ToUnicode 7 0 R >>';
  const open = '['.repeat(100_000);
  return [
    hostile(
      'PDF: a form that draws itself',
      () => onePage({ 3: page('/XObject << /X 6 0 R >>'), 4: stream('/X Do'), 6: inSelf }),
      'read',
      'file_unreadable',
      'file_too_complex',
    ),
    hostile(
      'PDF: a billion laughs of forms',
      () => onePage({ 3: page('/XObject << /X 20 0 R >>'), 4: stream('/X Do'), ...laughs, 29: say }),
      'read',
      'file_too_complex',
    ),
    hostile(
      'PDF: a table of two billion characters',
      () => onePage({ 5: font, 7: map }),
      'read',
      'file_unreadable',
      'file_too_complex',
    ),
    hostile(
      'PDF: 100,000 arrays deep',
      () => onePage({ 6: open, 4: stream(`${open} Tj`) }),
      'read',
      'file_unreadable',
    ),
    hostile(
      'PDF: the catalogue 100,000 dictionaries deep',
      () => onePage({ 1: '<< /Type /Catalog /Pages 2 0 R /A '.repeat(100_000) }),
      'file_unreadable',
      'read',
    ),
  ];
}

function oddities(): HostileFile[] {
  return [
    hostile(
      'PDF: 100,000 saved states',
      () => onePage({ 4: flate('q '.repeat(100_000)) }),
      'read',
      'file_too_complex',
    ),
    hostile(
      'PDF: a million texts',
      () => onePage({ 4: flate(`BT /F1 1 Tf ${'(a) Tj 1 1 Td '.repeat(1_000_000)} ET`) }),
      'read',
      'file_too_complex',
    ),
    hostile(
      'PDF: a string of 8 MB',
      () => onePage({ 4: flate(`BT /F1 1 Tf (${'a'.repeat(8 * MB)}) Tj ET`) }),
      'read',
      'file_too_complex',
    ),
    hostile(
      'PDF: a name of 8 MB',
      () => onePage({ 4: flate(`/${'a'.repeat(8 * MB)} Do`) }),
      'read',
      'file_too_complex',
    ),
    hostile(
      'PDF: a page larger than the world',
      () => onePage({ 3: page().replace('595 842', '1e30 1e30') }),
      'read',
    ),
    hostile(
      'PDF: a length that is itself',
      () => onePage({ 4: '<< /Length 4 0 R >>\nstream\nBT ET\nendstream' }),
      'read',
      'file_unreadable',
    ),
    hostile('PDF: an object that is itself', () => onePage({ 4: '4 0 R' }), 'read', 'file_unreadable'),
    ...scriptsAndFonts(),
  ];
}

function scriptsAndFonts(): HostileFile[] {
  return [
    hostile(
      'PDF: a script',
      () =>
        onePage({
          1: '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>',
        }),
      'read',
    ),
    hostile(
      'PDF: a program to start',
      () => onePage({ 1: '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /Launch /F (/bin/sh) >> >>' }),
      'read',
    ),
    hostile(
      'PDF: a font of noise',
      () =>
        onePage({
          5: '<< /Type /Font /Subtype /TrueType /BaseFont /A /FontDescriptor << /Type /FontDescriptor /FontName /A /Flags 4 /FontFile2 7 0 R >> >>',
          7: stream(Buffer.alloc(200_000, 'noise')),
        }),
      'read',
      'file_unreadable',
    ),
    hostile(
      'PDF: a CMap that uses itself',
      () =>
        onePage({
          5: '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding 7 0 R /DescendantFonts [] >>',
          7: stream('begincmap endcmap', '/Type /CMap /UseCMap 7 0 R'),
        }),
      'read',
      'file_unreadable',
    ),
  ];
}

function structure(): HostileFile[] {
  const honest = onePage();
  const at = honest.lastIndexOf('xref\n0');
  const cuts = [0.2, 0.5, 0.9].map((share) =>
    hostile(`PDF: cut at ${share}`, () => honest.subarray(0, honest.length * share), 'file_unreadable'),
  );
  const crypt = '/Encrypt << /Filter /Nonsense /V 9 /R 9 >> /ID [<00> <00>]';
  const locked = `/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >> /ID [<00> <00>]`;
  return [
    ...cuts,
    hostile('PDF: a table that comes before itself', () => onePage({}, `/Prev ${at}`), 'read'),
    hostile(
      'PDF: a table that is not there',
      () => Buffer.concat([honest.subarray(0, at), Buffer.from('startxref\n99999999\n%%EOF')]),
      'read',
      'file_unreadable',
    ),
    hostile('PDF: a head alone', () => '%PDF-1.7\n%%EOF\n', 'file_unreadable'),
    hostile(
      'PDF: a head and noise',
      () =>
        Buffer.concat([
          Buffer.from('%PDF-1.7\n'),
          Buffer.alloc(MB, 'endobj xref 1 0 obj << '),
          Buffer.from('%%EOF'),
        ]),
      'file_unreadable',
      'read',
    ),
    hostile(
      'PDF: 300,000 empty objects',
      () =>
        Buffer.concat([
          Buffer.from('%PDF-1.7\n'),
          Buffer.from('1 0 obj\nendobj\n'.repeat(300_000)),
          Buffer.from('%%EOF'),
        ]),
      'file_unreadable',
    ),
    hostile(
      'PDF: encrypted in an unknown way',
      () => onePage({}, crypt),
      'file_unreadable',
      'file_encrypted',
    ),
    hostile('PDF: with a password', () => onePage({}, locked), 'file_encrypted'),
    hostile(
      'PDF: a ZIP behind it',
      () => Buffer.concat([honest, Buffer.from('PK\x03\x04', 'latin1')]),
      'read',
    ),
    hostile(
      'PDF: behind another head',
      () => Buffer.concat([Buffer.from('GIF89a'), honest]),
      'file_unreadable',
    ),
  ];
}

export function hostilePdfs(): HostileFile[] {
  return [...bombs(), ...pages(), ...contents(), ...oddities(), ...structure()];
}
