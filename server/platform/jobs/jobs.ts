import { MINUTE_MS } from '#contract/time.ts';
import type { Database, Fragment } from '../database/database.ts';
import type { Log } from '../log.ts';
import { NO_TRACING, type Tracing } from '../telemetry/tracing.ts';
import { type DueRows, type Queue, startWorker, type Worker } from './worker.ts';

/** All that a process does without a request; safe on several processes at once. */
export interface Jobs {
  /** Works on a queue whenever something is due in it. A slow task takes its slot and nothing else. */
  startWorker<Task>(queue: Queue<Task>): Worker;
  /** Does `work` whenever something is due, never twice at once; a failure is logged and tried again. `name` is as a queue's. */
  whenDue(name: string, due: DueRows, work: () => Promise<unknown>): void;
  /**
   * Does `work` every `everyMs`, and first after a minute at most, so that what is done hourly is done by processes that live
   * shorter; never twice at once; a failure is logged and tried again.
   */
  repeat(name: string, everyMs: number, work: () => Promise<unknown>): void;
  /** How many tasks of each kind are due and not begun, by its name; no more than a thousand of one are counted. */
  countDue(): Promise<Map<string, number>>;
  readonly isStopped: boolean;
  /** Begins nothing new, and waits for the workers. */
  stop(): Promise<void>;
}

const BEAT_MS = 1_000;
const MAX_COUNTED = 1_000;
const FIRST_MS = MINUTE_MS;

export interface JobsOptions {
  beatMs?: number;
  /** Called with the seconds that the statement of each beat took, the wait for a connection included. */
  onBeat?: (seconds: number) => void;
  /** Each job, and each task of a queue, is a trace. */
  tracing?: Tracing;
}

/** Makes the jobs of a process. One statement a second, the beat, asks what is due of all of them, and starts that (decision 55). */
export function createJobs({ sql }: Pick<Database, 'sql'>, log: Log, options: JobsOptions = {}): Jobs {
  const { tracing = NO_TRACING } = options;
  const asked = new Map<string, { due: DueRows; start: () => void }>();
  const workers: Worker[] = [];
  const timers: NodeJS.Timeout[] = [];
  let isStopped = false;

  function startEvery(everyMs: number, start: () => void) {
    timers.push(setInterval(start, everyMs).unref());
    if (everyMs > FIRST_MS) timers.push(setTimeout(start, FIRST_MS).unref());
  }

  /** The names of what is due. */
  async function findDue(): Promise<string[]> {
    const parts = [...asked].map(([name, { due }]) => sql`(select ${name}::text as name ${due()} limit 1)`);
    if (parts.length === 0) return [];
    const rows = await sql<{ name: string }[]>`${unite(parts)}`;
    return rows.map(({ name }) => name);
  }

  async function countDue() {
    const parts = [...asked].map(
      ([name, { due }]) =>
        sql`select ${name}::text as name, count(*)::int as count from (select ${due()} limit ${MAX_COUNTED}) due`,
    );
    if (parts.length === 0) return new Map<string, number>();
    const rows = await sql<{ name: string; count: number }[]>`${unite(parts)}`;
    return new Map(rows.map(({ name, count }) => [name, count]));
  }

  const unite = (parts: Fragment[]) => parts.reduce((before, part) => sql`${before} union all ${part}`);

  async function startDue() {
    const started = performance.now();
    const names = await findDue().finally(() => options.onBeat?.((performance.now() - started) / 1000));
    for (const name of names) if (!isStopped) asked.get(name)?.start();
  }

  const traced = (name: string, work: () => Promise<unknown>) => () =>
    tracing.trace({ name: `job ${name}` }, work);

  function add(name: string, due: DueRows, start: () => void) {
    if (asked.has(name)) throw new Error(`two jobs are called ${name}`);
    asked.set(name, { due, start });
  }

  startEvery(options.beatMs ?? BEAT_MS, onceAtATime('asking what is due', startDue, log));
  return {
    startWorker(queue) {
      const worker = startWorker(queue, log, tracing);
      workers.push(worker);
      add(queue.name, queue.due, worker.wake);
      return worker;
    },
    whenDue: (name, due, work) => add(name, due, onceAtATime(name, traced(name, work), log)),
    repeat: (name, everyMs, work) => startEvery(everyMs, onceAtATime(name, traced(name, work), log)),
    countDue,
    get isStopped() {
      return isStopped;
    },
    async stop() {
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

/** Does `work` when called, unless it is under way; a failure is logged. */
function onceAtATime(name: string, work: () => Promise<unknown>, log: Log): () => void {
  let isBusy = false;
  return async () => {
    if (isBusy) return;
    isBusy = true;
    await work().catch((err) => log.warn({ err }, `${name} failed and will be tried again`));
    isBusy = false;
  };
}
