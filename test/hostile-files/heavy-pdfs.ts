import { flate, HELVETICA, makePdf, onePage, page, stream } from './make-pdf.ts';

/** A PDF of so many pages that each draw one form so many times: small, and slow to read. */
export function slowPdf(pages: number, forms: number): Buffer {
  const numbers = Array.from({ length: pages }, (_, n) => 20 + n);
  const form = flate(
    'BT /F1 1 Tf (a) Tj ET '.repeat(300),
    '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 5 0 R >> >>',
  );
  return onePage({
    2: `<< /Type /Pages /Kids [${numbers.map((n) => `${n} 0 R`).join(' ')}] /Count ${pages} >>`,
    4: stream('/X Do '.repeat(forms)),
    6: form,
    ...Object.fromEntries(numbers.map((n) => [n, page('/XObject << /X 6 0 R >>')])),
  });
}

/**
 * A PDF of six pages: the first and the last say `text`. Between them are one of groups in groups, one of seven pictures that
 * unpack to 64 MB each, one that says `text` beside twenty pictures of 49 million pixels, and one of a mesh that takes minutes to draw.
 */
export function heavyPages(): Buffer {
  const text = 'BT /F1 60 Tf 50 70 Td (text) Tj ET';
  const picture = (side: number, bits: 1 | 8) =>
    flate(
      Buffer.alloc(Math.ceil((side * bits) / 8) * side),
      `/Subtype /Image /Width ${side} /Height ${side} /BitsPerComponent ${bits} /ColorSpace /DeviceGray`,
    );
  const pictures = (length: number, first: number) => {
    const numbers = Array.from({ length }, (_, n) => first + n);
    return {
      content: `q 9 0 0 9 0 0 cm ${numbers.map((n) => `/I${n} Do`).join(' ')} Q`,
      resources: `/XObject << ${numbers.map((n) => `/I${n} ${n} 0 R`).join(' ')} >>`,
    };
  };
  const half = '/ExtGState << /G << /ca 0.5 >> >>';
  const group = (next: number) =>
    stream(
      '/G gs /X Do',
      `/Subtype /Form /BBox [0 0 595 150] /Group << /S /Transparency /I true /K true >> /Resources << ${half} /XObject << /X ${next} 0 R >> >>`,
    );
  // Two triangles as large as the page. A corner is its flag, its place and its colour.
  const corners = [0, 0, 255, 0, 0, 255].flatMap((x, n) => [0, x, n % 2 ? 255 : 0, 0, 0, 0]);
  const mesh = flate(
    Buffer.alloc(100_000 * corners.length, Buffer.from(corners)),
    '/ShadingType 4 /ColorSpace /DeviceRGB /BitsPerCoordinate 8 /BitsPerComponent 8 /BitsPerFlag 8 /Decode [0 595 0 150 0 1 0 1 0 1]',
  );
  const pages: { content: string; resources?: string }[] = [
    { content: text },
    { content: '/G gs /X Do', resources: `${half} /XObject << /X 100 0 R >>` },
    pictures(7, 2_000),
    { ...pictures(20, 3_000), content: `${pictures(20, 3_000).content} ${text}` },
    { content: '/S sh', resources: '/Shading << /S 9 0 R >>' },
    { content: text },
  ];
  const objects: Record<number, string | Buffer> = {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: `<< /Type /Pages /Kids [${pages.map((_, n) => `${10 + n} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    5: HELVETICA,
    9: mesh,
  };
  for (const [n, { content, resources = '' }] of pages.entries()) {
    objects[10 + n] =
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 150] /Contents ${20 + n} 0 R /Resources << /Font << /F1 5 0 R >> ${resources} >> >>`;
    objects[20 + n] = stream(content);
  }
  for (let depth = 0; depth < 700; depth += 1) objects[100 + depth] = group(101 + depth);
  const [light, large] = [picture(3_990, 1), picture(7_000, 8)];
  for (let n = 0; n < 20; n += 1) Object.assign(objects, { [2_000 + n]: light, [3_000 + n]: large });
  return makePdf(objects);
}
