import { deflateSync } from 'node:zlib';

/** A stream object's text: what `packed` is, is said by `entries`. */
export function stream(packed: Buffer | string, entries = ''): Buffer {
  const bytes = Buffer.from(packed);
  const head = `<< /Length ${bytes.length} ${entries} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')]);
}

/** A stream object, packed. */
export const flate = (content: Buffer | string, entries = '') =>
  stream(deflateSync(content), `/Filter /FlateDecode ${entries}`);

/** A PDF of objects by number, with a table of where they are. */
export function makePdf(objects: Record<number, string | Buffer>, trailer = ''): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets = new Map<number, number>();
  let length = 9;
  const add = (piece: Buffer) => {
    pieces.push(piece);
    length += piece.length;
  };
  for (const [number, content] of Object.entries(objects)) {
    offsets.set(Number(number), length);
    add(Buffer.concat([Buffer.from(`${number} 0 obj\n`), Buffer.from(content), Buffer.from('\nendobj\n')]));
  }
  const size = Math.max(...offsets.keys()) + 1;
  const rows = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number);
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${size}\n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\n`;
  add(Buffer.from(`${table}startxref\n${length}\n%%EOF\n`));
  return Buffer.concat(pieces);
}

export const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
/** A page object. */
export const page = (more = '') =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${more} >> >>`;

/** One page that says `text`, with objects added or replaced. */
export function onePage(objects: Record<number, string | Buffer> = {}, trailer = ''): Buffer {
  return makePdf(
    {
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      3: page(),
      4: stream('BT /F1 12 Tf 50 700 Td (text) Tj ET'),
      5: HELVETICA,
      ...objects,
    },
    trailer,
  );
}
