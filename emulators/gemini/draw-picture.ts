import { createHash } from 'node:crypto';
import sharp from 'sharp';

/** What a picture is to be like, as a request says it. */
export interface PictureOrder {
  prompt: string;
  ratio: string | null;
  size: string;
  /** The picture that is to be edited; null: a new one. */
  base: Buffer | null;
}

const SIDES: Record<string, number> = { '1K': 1_024, '2K': 2_048, '4K': 4_096 };
const STEP = 16;
const LINE = 22;
const LINES = 5;

/** Pixels of a picture: as many as a square of its size, in the ratio that was asked, else that of the edited picture. */
async function pixelsOf({ ratio, size, base }: PictureOrder): Promise<{ width: number; height: number }> {
  const side = SIDES[size] ?? 1_024;
  const [wide = 1, high = 1] = ratio?.split(':').map(Number) ?? (base ? await ratioOf(base) : []);
  const round = (length: number) => Math.round(length / STEP) * STEP;
  return { width: round(side * Math.sqrt(wide / high)), height: round(side * Math.sqrt(high / wide)) };
}

async function ratioOf(base: Buffer): Promise<[number, number]> {
  const { width, height } = await sharp(base).metadata();
  return [width, height];
}

/** Draws a picture: shapes and colours by the prompt's hash, its first words, and the edited picture below them. PNG. */
export async function drawPicture(order: PictureOrder): Promise<Buffer> {
  const { width, height } = await pixelsOf(order);
  const shapes = Buffer.from(writeSvg(order, width, height));
  const ground = order.base
    ? sharp(order.base).resize(width, height, { fit: 'cover' })
    : sharp({ create: { width, height, channels: 3, background: '#ffffff' } });
  return ground
    .composite([{ input: shapes }])
    .png({ compressionLevel: 6 })
    .toBuffer();
}

function writeSvg({ prompt, base }: PictureOrder, width: number, height: number): string {
  const seed = createHash('sha256').update(prompt).digest();
  const at = (n: number) => (seed[n % seed.length] ?? 0) / 255;
  const colour = (n: number, light: number) => `hsl(${Math.round(at(n) * 360)} 65% ${light}%)`;
  const unit = Math.min(width, height);
  const circles = Array.from({ length: base ? 3 : 7 }, (_, n) => {
    const [x, y, radius] = [at(3 * n) * width, at(3 * n + 1) * height, (0.06 + 0.16 * at(3 * n + 2)) * unit];
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour(n + 9, 55)}" fill-opacity="0.7"/>`;
  });
  const sky = base
    ? ''
    : `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${colour(30, 82)}"/><stop offset="1" stop-color="${colour(31, 45)}"/></linearGradient></defs>
<rect width="100%" height="100%" fill="url(#sky)"/>`;
  const size = unit / LINE;
  const words = linesOf(prompt).map(
    (line, n) =>
      `<text x="${size}" y="${height - (LINES - n) * size * 1.3}" font-size="${size}">${line}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${sky}${circles.join('')}
<g fill="#fff" stroke="#222" stroke-width="${size / 12}" paint-order="stroke" font-family="sans-serif">${words.join('')}</g></svg>`;
}

/** The first words in lines, broken at a space where there is one. */
function linesOf(prompt: string): string[] {
  const lines = prompt.replace(/\s+/g, ' ').match(new RegExp(`.{1,${LINE}}(?: |$)|.{1,${LINE}}`, 'gu')) ?? [];
  return lines
    .slice(0, LINES)
    .map((line) => line.trim().replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`));
}
