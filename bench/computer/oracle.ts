import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import puppeteer, { type Browser } from 'puppeteer-core';
import { answerJson, type Emulator, readJson, startHttpServer } from '#emulators/http-server.ts';
import type { Act } from './act.ts';
import { PAGES_HOST } from './serve-pages.ts';
import { TASKS } from './tasks/all-tasks.ts';
import { Twin } from './twin.ts';

const WINDOW = { width: 1440, height: 900 };
const TASK = /task=([a-z0-9-]+) seed=(\d+) run=([a-z0-9-]+)/;

interface Answering {
  acts: AsyncGenerator<Act | Act[], void>;
  twin: Twin;
}

/** The stand-in for Gemini that knows what to do: what it was asked for says the task, the seed, and the run. */
export interface Oracle extends Emulator {
  /** What went wrong in finding what to do, by run. */
  failures: ReadonlyMap<string, string>;
}

/**
 * Starts the oracle: for each run it opens the same page with the same seed in a browser of its own, finds out there what is to be done,
 * does it there too, and answers with it as Gemini does.
 */
export async function startOracle(pagesUrl: string, chromium: string): Promise<Oracle> {
  const browser = await puppeteer.launch({
    executablePath: chromium,
    args: ['--no-sandbox', '--disable-gpu'],
    defaultViewport: WINDOW,
  });
  const running = new Map<string, Answering>();
  const failures = new Map<string, string>();

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const body = await readJson(request);
    const [, task = '', seed = '', run = ''] = TASK.exec(JSON.stringify(body)) ?? [];
    if (request.method !== 'POST' || run === '') return answerJson(response, 404, {});
    const parts = await answer(task, seed, run).catch((error: Error) => {
      failures.set(run, error.message);
      return [{ text: 'Not found out.' }];
    });
    present(request, response, parts);
  }

  async function answer(task: string, seed: string, run: string): Promise<object[]> {
    const before = running.get(run);
    if (!before) {
      const solve = TASKS[task];
      if (!solve) throw new Error('no way is known');
      const twin = await openTwin(browser, `${pagesUrl}/miniwob/${task}.html?seed=${seed}`);
      running.set(run, { acts: solve(twin), twin });
      const url = `http://${PAGES_HOST}/miniwob/${task}.html?seed=${seed}&run=${run}`;
      return calls([{ name: 'navigate', url }]);
    }
    const next = await before.acts.next();
    if (next.done) {
      await before.twin.page.close();
      return [{ text: 'Done.' }];
    }
    const acts = [next.value].flat();
    for (const act of acts) await before.twin.do(act);
    return calls(acts);
  }

  const server = await startHttpServer(0, handle);
  return {
    ...server,
    failures,
    async close() {
      await server.close();
      await browser.close();
    },
  };
}

async function openTwin(browser: Browser, url: string): Promise<Twin> {
  const page = await browser.newPage();
  // Twins of two runs share a browser, and a page without the focus closes its menus.
  await page.emulateFocusedPage(true);
  await page.goto(url);
  await page.waitForFunction('window.TASK_STARTED');
  return new Twin(page);
}

function calls(acts: readonly (Act | { name: 'navigate'; url: string })[]): object[] {
  return acts.map(({ name, ...args }, at) => ({
    functionCall: { id: randomBytes(6).toString('hex'), name, args: { ...args, intent: name } },
    ...(at === 0 ? { thoughtSignature: randomBytes(12).toString('base64') } : {}),
  }));
}

function present(request: IncomingMessage, response: ServerResponse, parts: object[]) {
  const whole = {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
    modelVersion: 'gemini-3.6-flash',
    responseId: randomBytes(8).toString('hex'),
  };
  if (!request.url?.includes('alt=sse')) return answerJson(response, 200, whole);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify(whole)}\r\n\r\n`);
}
