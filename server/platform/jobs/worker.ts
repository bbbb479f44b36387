import { setTimeout as wait } from 'node:timers/promises';
import type { Fragment } from '../database/database.ts';
import type { Log } from '../log.ts';
import { NO_TRACING, type Tracing } from '../telemetry/tracing.ts';

/**
 * What is due in a table now: `from … where … order by …`, best by an index. The statement that takes a row has the same lines, so
 * that the two cannot disagree.
 */
export type DueRows = () => Fragment;

/** Work that waits in a table, where a task is a row that says when it is due (`docs/decisions`: tables are the queues). */
export interface Queue<Task> {
  /** No other work of the process has it. */
  name: string;
  /** How many tasks this process works on at once. */
  slots: number;
  due: DueRows;
  /** Takes at most `limit` tasks that are due; no other process gets them until their lease ends. */
  lease(limit: number): Promise<Task[]>;
  /** Does one task and says so in its row. What it throws is logged, and the task comes again after its lease. */
  work(task: Task): Promise<void>;
}

export interface Worker {
  /** Something may be due: looks at once. */
  wake(): void;
  /** Takes nothing new and waits for what is under way, `STOP_MS` at most; the rest comes again after its lease. */
  stop(): Promise<void>;
}

const STOP_MS = 5_000;

/** Works on a queue when it is woken. */
export function startWorker<Task>(
  { name, slots, lease, work }: Queue<Task>,
  log: Log,
  tracing: Tracing = NO_TRACING,
): Worker {
  const running = new Set<Promise<void>>();
  let isStopped = false;
  let isWoken = false;
  let leasing: Promise<void> | null = null;

  async function run(task: Task) {
    const traced = tracing.trace({ name: `job ${name}` }, () => work(task));
    await traced.catch((err) => log.warn({ err, queue: name }, 'a task failed and will come again'));
  }

  function start(task: Task) {
    const done: Promise<void> = run(task).finally(() => {
      running.delete(done);
      look();
    });
    running.add(done);
  }

  async function fill() {
    // So that `leasing` is set before it is taken back, even when there is no free slot.
    await null;
    while (isWoken && !isStopped && running.size < slots) {
      isWoken = false;
      const tasks = await lease(slots - running.size).catch((err) => {
        log.warn({ err, queue: name }, 'a queue could not be read and will be tried again');
        return [];
      });
      tasks.forEach(start);
    }
    leasing = null;
  }

  function look() {
    isWoken = true;
    leasing ??= fill();
  }

  return {
    wake: look,
    async stop() {
      isStopped = true;
      const isDone = Promise.resolve(leasing).then(() => Promise.allSettled(running));
      await Promise.race([isDone, wait(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** How long to wait before try number `tries + 1`: `firstMs` after the first, twice as long each time, `maxMs` at most. */
export function backoffMs(tries: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(30, Math.max(0, tries - 1)));
}
