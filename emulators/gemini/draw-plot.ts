import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 480;
const HEIGHT = 300;
const MARGIN = 30;
const PAPER = [255, 255, 255] as const;
const AXIS = [60, 60, 60] as const;
const BAR = [31, 119, 180] as const;

/** A bar chart of the values as a PNG, as a plot of a program looks; the same values give the same bytes. */
export function drawPlot(values: number[]): Buffer {
  const pixels = Buffer.alloc(HEIGHT * (1 + WIDTH * 3), 255);
  const fill = (left: number, top: number, right: number, bottom: number, colour: readonly number[]) => {
    for (let y = Math.max(0, Math.round(top)); y < Math.min(HEIGHT, Math.round(bottom)); y += 1) {
      for (let x = Math.round(left); x < Math.round(right); x += 1) {
        pixels.set(colour, y * (1 + WIDTH * 3) + 1 + x * 3);
      }
    }
  };
  for (let y = 0; y < HEIGHT; y += 1) pixels[y * (1 + WIDTH * 3)] = 0;
  fill(0, 0, WIDTH, HEIGHT, PAPER);
  const highest = Math.max(1e-9, ...values.map(Math.abs));
  const room = (WIDTH - 2 * MARGIN) / Math.max(1, values.length);
  for (const [index, value] of values.entries()) {
    const height = ((HEIGHT - 2 * MARGIN) * Math.abs(value)) / highest;
    const left = MARGIN + index * room + room * 0.1;
    fill(left, HEIGHT - MARGIN - height, left + room * 0.8, HEIGHT - MARGIN, BAR);
  }
  fill(MARGIN, MARGIN, MARGIN + 2, HEIGHT - MARGIN, AXIS);
  fill(MARGIN, HEIGHT - MARGIN, WIDTH - MARGIN, HEIGHT - MARGIN + 2, AXIS);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.from([...bytes(WIDTH), ...bytes(HEIGHT), 8, 2, 0, 0, 0])),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  return Buffer.concat([Buffer.from(bytes(data.length)), body, Buffer.from(bytes(crc32(body)))]);
}

function bytes(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}
