import { describe, expect, test } from 'vitest';
import { hostileArchives } from '#test/hostile-files/hostile-archives.ts';
import type { HostileFile } from '#test/hostile-files/hostile-file.ts';
import { hostilePdfs } from '#test/hostile-files/hostile-pdfs.ts';
import { hostilePictures } from '#test/hostile-files/hostile-pictures.ts';
import { hostileTexts } from '#test/hostile-files/hostile-texts.ts';
import { inTurn } from '#test/runs.ts';
import { readFile } from './read-file.ts';
import { FileFault } from './reading-rules.ts';

/** How reading a file ended: `read`, or the code of its fault. Anything else is thrown. */
async function endOf(bytes: Buffer): Promise<string> {
  try {
    const { text, thumbnail, pages } = await readFile(bytes);
    expect(text.isWellFormed()).toBe(true);
    expect(thumbnail?.length ?? 0).toBeLessThan(200_000);
    expect(pages ?? 1).toBeGreaterThan(0);
    return 'read';
  } catch (fault) {
    if (fault instanceof FileFault) return fault.code;
    throw fault;
  }
}

const files: HostileFile[] = [
  ...hostileArchives(),
  ...hostilePdfs(),
  ...(await hostilePictures()),
  ...hostileTexts(),
];

describe('a file that means harm is refused with a code, or read as what it is', () => {
  // Each of them starts a process: every fifth, of all kinds, and all in the long run.
  test.concurrent.each(inTurn(files, 0, 5))('$name', async ({ bytes, ends }) => {
    expect(ends).toContain(await endOf(bytes));
  });
});
