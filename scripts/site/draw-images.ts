import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { LANGUAGES, type Language } from '#contract/choices.ts';
import { colourToken } from './colour-token.ts';
import { escapeXml } from './escape-xml.ts';
import { unpackWoff } from './unpack-woff.ts';

const FONTS = [
  '@fontsource/newsreader/files/newsreader-latin-500-normal.woff',
  '@fontsource/zcool-xiaowei/files/zcool-xiaowei-chinese-simplified-400-normal.woff',
];
const FAMILIES = 'Newsreader Medium, ZCOOL XiaoWei';
/** File name, pixels, and how much of the square the mark takes. */
const ICONS = [
  ['icons/apple-touch-icon.png', 180, 0.6],
  ['icons/icon-192.png', 192, 0.68],
  ['icons/icon-512.png', 512, 0.68],
  ['icons/maskable-192.png', 192, 0.48],
  ['icons/maskable-512.png', 512, 0.48],
] as const;
/** The mark alone, which a system colours itself. */
const MONOCHROME = ['icons/monochrome-512.png', 512, 0.48] as const;
/** What people see of a link in a feed, in pixels. */
export const CARD = { width: 1200, height: 630 };
/** Baseline of the title's first row. */
const FIRST_ROW = 300;

/** What a picture of the product says in one language. */
export interface CardTexts {
  name: string;
  secondName: string;
  title: string;
  line: string;
}

/** The icons and, for each language, the picture that is shown beside a link: PNG by the path it is served at. */
export async function drawImages(texts: Record<Language, CardTexts>): Promise<Map<string, Uint8Array>> {
  await initWasm(readFileSync(packageFile('@resvg/resvg-wasm/index_bg.wasm')));
  const fontBuffers = FONTS.map((font) => unpackWoff(readFileSync(packageFile(font))));
  const images = new Map<string, Uint8Array>();
  for (const [path, size, share] of ICONS) images.set(path, render(icon(size, share, paper()), []));
  const [path, size, share] = MONOCHROME;
  images.set(path, render(icon(size, share, ''), []));
  for (const language of LANGUAGES) {
    images.set(`cards/${language}.png`, render(card(texts[language]), fontBuffers));
  }
  return images;
}

function packageFile(name: string): string {
  return fileURLToPath(import.meta.resolve(name));
}

function render(svg: string, fontBuffers: Uint8Array[]): Uint8Array {
  return new Resvg(svg, { font: { fontBuffers } }).render().asPng();
}

function paper(): string {
  return `<rect width="100%" height="100%" fill="${colourToken('paper')}"/>`;
}

function icon(size: number, share: number, ground: string): string {
  const edge = (size * (1 - share)) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">
    ${ground}
    <g transform="translate(${edge} ${edge}) scale(${(size * share) / 24})">${mark()}</g></svg>`;
}

/** The home page's first words between the two corners of the mark, the name above, what it costs below. */
function card({ name, secondName, title, line }: CardTexts): string {
  const [ink, soft] = [colourToken('ink'), colourToken('soft')];
  const write = (text: string, y: number, size: number, fill: string, x = 144) =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}">${escapeXml(text)}</text>`;
  const rows = breakLines(title, 8);
  const below = FIRST_ROW + (rows.length - 1) * 108 + 84;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}"
    font-family="${FAMILIES}"><rect width="100%" height="100%" fill="${colourToken('paper')}"/>
    <path d="M64 64h132v24H88v156H64zM1136 566H1004v-24h108V386h24z" fill="${ink}"/>
    ${write(name, 162, 40, ink)}
    ${write(secondName, 162, 30, soft, 164 + widthOf(name) * 40)}
    ${rows.map((row, index) => write(row, FIRST_ROW + index * 108, 92, ink)).join('')}
    ${breakLines(line.replace(/[，；]/g, '\u3000'), 25)
      .map((row, index) => write(row, below + index * 46, 34, soft))
      .join('')}</svg>`;
}

/** Breaks at a Chinese comma or stop, which lettering leaves out, and between words at about `width` em. */
function breakLines(text: string, width: number): string[] {
  return text
    .split(/[，。；]/)
    .filter(Boolean)
    .flatMap((part) => {
      const rows: string[] = [];
      let row = '';
      for (const word of part.split(' ')) {
        const longer = row ? `${row} ${word}` : word;
        if (row && widthOf(longer) > width) rows.push(row);
        row = row && widthOf(longer) > width ? word : longer;
      }
      return [...rows, row];
    });
}

function widthOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (character > '\u2e80' ? 1 : 0.46), 0);
}

function mark(): string {
  const [, path = ''] = /<path d="([^"]+)"/.exec(readFileSync('web/public/favicon.svg', 'utf8')) ?? [];
  return `<path d="${path}" fill="${colourToken('ink')}"/>`;
}
