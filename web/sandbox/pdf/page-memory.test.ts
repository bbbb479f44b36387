import { expect, it } from 'vitest';
import { PageMemory, PageTooHeavy } from './page-memory.ts';

const canvas = () => ({ width: 0, height: 0 }) as HTMLCanvasElement;
const never = () => new Promise<void>(() => {});

it('lets a page have canvases again and again, and not too many at a time', async () => {
  const memory = new PageMemory();
  await memory.within(async () => {
    for (let n = 0; n < 1_000; n += 1) {
      const one = canvas();
      memory.sizeCanvas(one, 2_000, 2_000);
      memory.sizeCanvas(one, 3_000, 3_000);
      memory.freeCanvas(one);
    }
  });
  const nested = memory.within(async () => {
    for (let n = 0; n < 100; n += 1) memory.sizeCanvas(canvas(), 2_000, 2_000);
  });
  await expect(nested).rejects.toThrow(PageTooHeavy);
});

it('takes back the canvases that a page leaves, and begins anew with the next', async () => {
  const memory = new PageMemory();
  const left: HTMLCanvasElement[] = [];
  for (let page = 0; page < 100; page += 1)
    await memory.within(async () => {
      for (let n = 0; n < 10; n += 1) {
        const one = canvas();
        memory.sizeCanvas(one, 2_000, 2_000);
        left.push(one);
      }
    });
  expect(left.map(({ width, height }) => width + height)).toEqual(left.map(() => 0));
});

it('gives up a page that waits, as soon as its pictures or operations are too many', async () => {
  const memory = new PageMemory();
  const pictures = memory.within(never);
  for (let n = 0; n < 20; n += 1) memory.countMessage({ data: ['img', 1, 'Image', { dataLen: 32_000_000 }] });
  await expect(pictures).rejects.toThrow(PageTooHeavy);

  const path = [22, [new Float32Array(8)], new Float32Array(4)];
  const squares = memory.within(never);
  for (let n = 0; n < 300; n += 1) memory.countMessage({ chunk: { argsArray: Array(1_000).fill(path) } });
  await expect(squares).rejects.toThrow(PageTooHeavy);

  const texts = memory.within(never);
  for (let n = 0; n < 3_000; n += 1) memory.countMessage({ chunk: { items: Array(1_000).fill({}) } });
  await expect(texts).rejects.toThrow(PageTooHeavy);
});

it('lets an ordinary page have what it takes', async () => {
  const memory = new PageMemory();
  await memory.within(async () => {
    memory.countMessage({ data: 'ready' });
    memory.countMessage({ data: ['img', 1, 'Image', null] });
    memory.countMessage({ data: ['img', 1, 'Image', { dataLen: 48_000_000 }] });
    memory.countMessage({ chunk: { argsArray: Array(50_000).fill([null, [new Float32Array(8)]]) } });
    memory.countMessage({ chunk: { argsArray: Array(50_000).fill(null) } });
    for (let n = 0; n < 4; n += 1) memory.sizeCanvas(canvas(), 2_300, 3_200);
  });
});
