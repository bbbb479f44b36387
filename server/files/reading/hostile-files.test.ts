import { beforeAll, describe, expect, test } from 'vitest';
import { MEGABYTE } from '#contract/limits.ts';
import { hostileArchives } from '#test/hostile-files/hostile-archives.ts';
import type { HostileFile } from '#test/hostile-files/hostile-file.ts';
import { hostilePdfs } from '#test/hostile-files/hostile-pdfs.ts';
import { hostilePictures } from '#test/hostile-files/hostile-pictures.ts';
import { hostileTexts } from '#test/hostile-files/hostile-texts.ts';
import { inTurn } from '#test/runs.ts';
import { readFile } from './read-file.ts';
import { FileFault, READING_LIMITS } from './reading-rules.ts';
import type { ReaderUsage } from './start-reader.ts';

/** What reading one of them may take more than a plain text does. */
const MAX_MORE_CPU_MS = 4_000;
const MAX_MORE_MEMORY = 150 * MEGABYTE;
/** What a plain text takes on an idle machine; where it takes more, the same work is given as much more time. */
const TEXT_CPU_MS = 200;
/** Readers give way to everything else: beside other tests they may wait for minutes, which is no fault of the file. */
const LIMITS = { ...READING_LIMITS, timeMs: 600_000 };
/** As many tests of a file run at once. */
const AT_ONCE = 5;

/** How reading a file ended, which is `read` or the code of its fault, and what it took. Anything else is thrown. */
async function endOf(bytes: Buffer): Promise<{ end: string; usage: ReaderUsage }> {
  let usage: ReaderUsage = { isPicture: false, cpuMs: 0, peakMemory: 0 };
  const onUsage = (taken: ReaderUsage) => {
    usage = taken;
  };
  try {
    const { text, thumbnail, pages } = await readFile(bytes, { limits: LIMITS, onUsage });
    expect(text.isWellFormed()).toBe(true);
    expect(thumbnail?.length ?? 0).toBeLessThan(200_000);
    expect(pages ?? 1).toBeGreaterThan(0);
    return { end: 'read', usage };
  } catch (fault) {
    if (fault instanceof FileFault) return { end: fault.code, usage };
    throw fault;
  }
}

const files: HostileFile[] = [
  ...hostileArchives(),
  ...hostilePdfs(),
  ...(await hostilePictures()),
  ...hostileTexts(),
];

/** What a plain text takes beside others. */
let plain: ReaderUsage;
/** What it takes here and now. */
async function readPlain(): Promise<ReaderUsage> {
  const texts = await Promise.all(Array.from({ length: AT_ONCE }, () => endOf(Buffer.from('text'))));
  // One that ended before this process had time to look took nothing, as far as is known.
  const usages = texts.map(({ usage }) => usage).filter(({ peakMemory }) => peakMemory > 0);
  usages.sort((one, other) => one.cpuMs - other.cpuMs);
  return usages[Math.floor(usages.length / 2)] ?? { isPicture: false, cpuMs: 0, peakMemory: 0 };
}

beforeAll(async () => {
  plain = await readPlain();
  // Where there is /proc.
  if (process.platform === 'linux') expect(plain.peakMemory).toBeGreaterThan(30 * MEGABYTE);
});

function maxCpuMs(text: ReaderUsage): number {
  return text.cpuMs + MAX_MORE_CPU_MS * Math.max(1, text.cpuMs / TEXT_CPU_MS);
}

describe('a file that means harm is refused with a code, or read as what it is, and takes little', () => {
  // Each of them starts a process: every hundredth, of all kinds, and all in the long run.
  test.concurrent.each(inTurn(files, 0, 100))('$name', async ({ bytes, ends }) => {
    const first = await endOf(bytes);
    const isSlow = first.usage.cpuMs > maxCpuMs(plain);
    // The same work can take several times as long at another moment: a text is read beside it.
    const [{ end, usage }, text] = isSlow ? await Promise.all([endOf(bytes), readPlain()]) : [first, plain];
    expect(ends).toContain(end);
    expect(usage.cpuMs).toBeLessThanOrEqual(maxCpuMs(text));
    expect(usage.peakMemory - plain.peakMemory).toBeLessThanOrEqual(MAX_MORE_MEMORY);
  });
});
