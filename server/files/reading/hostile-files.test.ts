import { expect, test } from 'vitest';
import { hostileArchives } from '#test/hostile-files/hostile-archives.ts';
import type { HostileFile } from '#test/hostile-files/hostile-file.ts';
import { hostilePdfs } from '#test/hostile-files/hostile-pdfs.ts';
import { hostilePictures } from '#test/hostile-files/hostile-pictures.ts';
import { hostileTexts } from '#test/hostile-files/hostile-texts.ts';
import { readFile } from './read-file.ts';
import { FileFault } from './reading-rules.ts';

const AT_ONCE = 3;

/** How reading a file ended: `read`, or the code of its fault. Anything else is thrown. */
async function endOf(bytes: Buffer): Promise<string> {
  try {
    const { text, thumbnail, pages } = await readFile({ bytes });
    expect(text.isWellFormed()).toBe(true);
    expect(thumbnail?.length ?? 0).toBeLessThan(200_000);
    expect(pages ?? 1).toBeGreaterThan(0);
    return 'read';
  } catch (fault) {
    if (fault instanceof FileFault) return fault.code;
    throw fault;
  }
}

/** Those that ended otherwise than they may. */
async function surprises(files: readonly HostileFile[]): Promise<string[]> {
  const left = [...files];
  const found: string[] = [];
  const work = async () => {
    for (let file = left.shift(); file; file = left.shift()) {
      const end = await endOf(file.bytes);
      if (!file.ends.some((one) => one === end)) found.push(`${file.name}: ${end}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

test('archives and XML that mean harm are refused with a code, or read as what they are', async () => {
  expect(await surprises(hostileArchives())).toEqual([]);
});

test('PDFs that mean harm are refused with a code, or read as what they are', async () => {
  expect(await surprises(hostilePdfs())).toEqual([]);
});

test('pictures that mean harm are refused with a code, or read as what they are', async () => {
  expect(await surprises(await hostilePictures())).toEqual([]);
});

test('texts, programs and nothing are told by their bytes', async () => {
  expect(await surprises(hostileTexts())).toEqual([]);
});
