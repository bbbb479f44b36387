import type { Database } from '../database/database.ts';
import type { Log } from '../log.ts';
import { type DueRows, type Queue, startWorker, type Worker } from './worker.ts';

/** All that a process does without a request; safe on several processes at once. */
export interface Jobs {
  /** Works on a queue whenever something is due in it. A slow task takes its slot and nothing else. */
  startWorker<Task>(queue: Queue<Task>): Worker;
  /** Does `work` whenever something is due, never twice at once; a failure is logged and tried again. `name` is as a queue's. */
  whenDue(name: string, due: DueRows, work: () => Promise<unknown>): void;
  /** Does `work` every `everyMs`, never twice at once; a failure is logged and tried again. */
  repeat(name: string, everyMs: number, work: () => Promise<unknown>): void;
  readonly isStopped: boolean;
  /** Begins nothing new, and waits for the workers. */
  stop(): Promise<void>;
}

const BEAT_MS = 1_000;

/** Makes the jobs of a process. One statement a second, the beat, asks what is due of all of them, and starts that (decision 55). */
export function createJobs({ sql }: Pick<Database, 'sql'>, log: Log, beatMs = BEAT_MS): Jobs {
  const asked = new Map<string, { due: DueRows; start: () => void }>();
  const workers: Worker[] = [];
  const timers: NodeJS.Timeout[] = [];
  let isStopped = false;

  function startEvery(everyMs: number, start: () => void) {
    timers.push(setInterval(start, everyMs).unref());
  }

  /** The names of what is due. */
  async function findDue(): Promise<string[]> {
    const parts = [...asked].map(([name, { due }]) => sql`(select ${name}::text as name ${due()} limit 1)`);
    if (parts.length === 0) return [];
    const all = parts.reduce((before, part) => sql`${before} union all ${part}`);
    const rows = await sql<{ name: string }[]>`${all}`;
    return rows.map(({ name }) => name);
  }

  async function startDue() {
    for (const name of await findDue()) if (!isStopped) asked.get(name)?.start();
  }

  function add(name: string, due: DueRows, start: () => void) {
    if (asked.has(name)) throw new Error(`two jobs are called ${name}`);
    asked.set(name, { due, start });
  }

  startEvery(beatMs, onceAtATime('asking what is due', startDue, log));
  return {
    startWorker(queue) {
      const worker = startWorker(queue, log);
      workers.push(worker);
      add(queue.name, queue.due, worker.wake);
      return worker;
    },
    whenDue: (name, due, work) => add(name, due, onceAtATime(name, work, log)),
    repeat: (name, everyMs, work) => startEvery(everyMs, onceAtATime(name, work, log)),
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
