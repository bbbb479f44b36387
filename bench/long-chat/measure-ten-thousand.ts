import type { Page } from '@playwright/test';
import { writeLongAnswer } from '#emulators/answers/long-answer.ts';
import { createDice } from '#emulators/pace.ts';
import { splitPieces } from '#emulators/split-pieces.ts';
import { percentile } from '../percentile.ts';
import { against, table } from '../results.ts';
import { BUDGETS } from './budgets.ts';
import { timeAnswer, watchFrames } from './watch-frames.ts';
import { measureWork, type PageWork } from './watch-page.ts';

const CHARACTERS = 57_000;
const GAP_MS = 2;
const TTFT_MS = 50;
const SEED = 7;

/**
 * Table of an answer of about 10,000 tokens that comes at 2 ms a token (method e1 of the baselines), at two speeds of the processor.
 * `open` gives the page of another user, `ask` sends a question and waits for the end of its answer.
 */
export async function measureTenThousand(
  open: () => Promise<Page>,
  ask: (page: Page, question: string) => Promise<void>,
): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const throttle of [1, 4] as const) {
    const page = await open();
    const session = await page.context().newCDPSession(page);
    await page.goto('/en/chat');
    await ask(page, '/emulate long-answer characters=1500 To warm up');
    await session.send('Emulation.setCPUThrottlingRate', { rate: throttle });
    const question = 'How to write well?';
    const answer = () => ask(page, `/emulate long-answer characters=${CHARACTERS} ${question}`);
    let work: PageWork | undefined;
    let seconds = Number.NaN;
    const frames = await watchFrames(page, async () => {
      work = await measureWork(page, session, async () => {
        seconds = await timeAnswer(page, answer);
      });
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    if (work)
      rows.push(
        await cells(page, throttle, { work, frames, seconds }, writeLongAnswer(question, CHARACTERS)),
      );
    await page.context().close();
  }
  const heads = [
    'CPU throttle',
    'tokens',
    'over ideal s',
    'main-thread task s',
    'long tasks together ms',
    'longest ms',
    'frame gap p99 ms',
    'max',
    'tables and code blocks right',
    'from its end px',
    'heap MB',
  ];
  return `**10,000 tokens of Markdown at 2 ms**\n\n${table(heads, rows)}`;
}

interface Measured {
  work: PageWork;
  frames: Float64Array;
  /** From the question to the last change that its answer made. */
  seconds: number;
}

async function cells(page: Page, throttle: 1 | 4, { work, frames, seconds }: Measured, text: string) {
  const tokens = [...splitPieces(text, createDice(SEED))].length;
  const over = seconds - (TTFT_MS + tokens * GAP_MS) / 1000;
  const limits: Partial<typeof BUDGETS.tenThousand> = throttle === 1 ? BUDGETS.tenThousand : {};
  return [
    `${throttle}×`,
    tokens,
    against(over, limits.overIdealSeconds),
    against(work.taskSeconds, limits.taskSeconds),
    against(work.longTaskMs, limits.longTaskMs),
    against(work.longestTaskMs, limits.longestTaskMs),
    against(percentile(frames, 0.99), limits.frameP99),
    percentile(frames, 1),
    await countBlocks(page, text),
    await page
      .locator('section[data-scroller]')
      .evaluate((box) => Math.round(box.scrollHeight - box.scrollTop - box.clientHeight)),
    work.heapMb,
  ];
}

/** How many of the text's tables and code blocks the page shows; those out of sight are drawn by scrolling past them. */
async function countBlocks(page: Page, text: string): Promise<string> {
  const answer = page.getByRole('article').last();
  const shown = [await answer.locator('table').count(), await answer.locator('pre').count()];
  const wanted = [text.match(/^\| --- /gm)?.length ?? 0, (text.match(/^```/gm)?.length ?? 0) / 2];
  return shown.map((count, place) => `${count}/${wanted[place]}`).join(', ');
}
