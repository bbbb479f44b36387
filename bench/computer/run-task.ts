import { randomUUID } from 'node:crypto';
import { runMessage } from './run-message.ts';
import { PAGES_HOST, type TaskPages } from './serve-pages.ts';

export interface TaskRun {
  id: string;
  task: string;
  seed: number;
  solved: boolean;
  steps: number;
  seconds: number;
  /** Why it is not solved. */
  said: string;
}

interface TaskSettings {
  /** Of the product. */
  url: string;
  cookie: string;
  task: string;
  seed: number;
  pages: TaskPages;
}

/** Sends one task as a message, lets what is asked, and waits for its end. */
export async function runTask({ url, cookie, task, seed, pages }: TaskSettings): Promise<TaskRun> {
  const run = randomUUID();
  const started = performance.now();
  const content = `Do the task on ${PAGES_HOST}: task=${task} seed=${seed} run=${run}`;
  const { message, refused } = await runMessage({ url, cookie, content });
  const reward = pages.rewardOf(run);
  const said =
    refused ??
    (message === null
      ? 'took too long'
      : `${message.status}, reward ${reward ?? 'none'}: ${message.response.slice(0, 80)}`);
  return {
    id: run,
    task,
    seed,
    solved: message !== null && (reward ?? 0) > 0,
    steps: message?.parts?.filter(({ kind }) => kind === 'step').length ?? 0,
    seconds: (performance.now() - started) / 1000,
    said,
  };
}
