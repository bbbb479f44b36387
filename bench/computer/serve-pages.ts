import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { answerJson, type Emulator, readJson, startHttpServer } from '#emulators/http-server.ts';

/** The test host under which the product reaches the pages. */
export const PAGES_HOST = 'tasks.test';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.gif': 'image/gif',
};

/** Starts the task with the seed of its address, and tells the reward of one that is named. */
const STARTER = `<script>addEventListener('load', () => setTimeout(() => {
  const asked = new URLSearchParams(location.search);
  Math.seedrandom(asked.get('seed') || '1');
  core.EPISODE_MAX_TIME = 1e7;
  core.startEpisodeReal();
  window.TASK_STARTED = true;
  const run = asked.get('run');
  if (!run) return;
  const timer = setInterval(() => {
    if (!window.WOB_DONE_GLOBAL) return;
    clearInterval(timer);
    fetch('/__done', { method: 'POST', body: JSON.stringify({ run, reward: window.WOB_RAW_REWARD_GLOBAL }) });
  }, 30);
}, 0));</script>`;

/** The served task pages, and what became of the runs on them. */
export interface TaskPages extends Emulator {
  /** The reward of a run; undefined while its task is not done. */
  rewardOf(run: string): number | undefined;
}

/** Serves the pages of a folder, with what starts a task added to each. */
export async function serveTaskPages(folder: string): Promise<TaskPages> {
  const rewards = new Map<string, number>();

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/__done') {
      const { run, reward } = await readJson(request);
      rewards.set(String(run), Number(reward));
      return answerJson(response, 200, {});
    }
    const path = normalize(decodeURIComponent(pathname));
    const bytes = path.includes('..') ? null : await readFile(join(folder, path)).catch(() => null);
    if (!bytes) return answerJson(response, 404, {});
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    const isPage = type.startsWith('text/html');
    response.writeHead(200, { 'content-type': type }).end(isPage ? `${bytes}${STARTER}` : bytes);
  }

  const server = await startHttpServer(0, handle, [PAGES_HOST]);
  return { ...server, rewardOf: (run) => rewards.get(run) };
}
