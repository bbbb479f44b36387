import { readdirSync, rmSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { FOLDER_PREFIX } from './launch-browser.ts';

const KB = 1_024;
/** The unit of processor time in `/proc` (proc_pid_stat of its documentation), in ms. */
const TICK_MS = 10;

/** The processes below one, itself included, as the kernel knows them; empty where there is no `/proc`. */
export async function listProcesses(root: number): Promise<number[]> {
  const found: number[] = [];
  const next = [root];
  for (let pid = next.pop(); pid !== undefined && found.length < 500; pid = next.pop()) {
    found.push(pid);
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
    next.push(...children.split(' ').filter(Boolean).map(Number));
  }
  return found;
}

/** Bytes of memory that processes hold for themselves: no files, and what they share counted for each. */
export async function memoryOf(pids: readonly number[]): Promise<number> {
  const each = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')));
  const held = (status: string, name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  return each.reduce((sum, status) => sum + (held(status, 'RssAnon') + held(status, 'RssShmem')) * KB, 0);
}

/** The processor time of processes until now, in ms, with all of their threads. */
export async function processorMsOf(pids: readonly number[]): Promise<number> {
  const each = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  const ticksOf = (stat: string) => {
    // Behind the name, which may hold spaces: the state is field 3, the times in user and kernel mode are 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  };
  return each.reduce((sum, stat) => sum + ticksOf(stat), 0) * TICK_MS;
}

/** How long processes may take how many cores before they have taken much. */
export interface Busy {
  cores: number;
  ms: number;
}

/** Watches whether processes take many cores, for long: quiet times make up for busy ones. */
export class BusyWatch {
  readonly #busy: Busy;
  #processorMs = 0;
  #at = performance.now();
  #tooMuchMs = 0;

  constructor(busy: Busy) {
    this.#busy = busy;
  }

  /** Given their processor time until now, in ms: whether they have taken too much for too long. */
  isTooMuch(processorMs: number): boolean {
    const elapsedMs = performance.now() - this.#at;
    const usedMs = processorMs - this.#processorMs;
    this.#at += elapsedMs;
    this.#processorMs = processorMs;
    const sign = usedMs > elapsedMs * this.#busy.cores ? 1 : -1;
    this.#tooMuchMs = Math.max(0, this.#tooMuchMs + sign * elapsedMs);
    return this.#tooMuchMs >= this.#busy.ms;
  }
}

/**
 * Gives processes, with all of their threads and what they start, the lowest priority there is. Where Linux schedules by sessions, their
 * sessions have it too, but not that of this process.
 */
export async function giveWay(pids: readonly number[]): Promise<void> {
  const lowest = constants.priority.PRIORITY_LOW;
  const ours = await sessionOf('self');
  const given = new Set<string>();
  for (const pid of pids) {
    const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
    for (const thread of threads) {
      try {
        setPriority(Number(thread), lowest);
      } catch {
        // It has ended.
      }
    }
    const session = await sessionOf(pid);
    if (session !== '' && session !== ours && !given.has(session))
      await writeFile(`/proc/${pid}/autogroup`, String(lowest)).then(
        () => given.add(session),
        () => undefined,
      );
  }
}

/** The name of the session by which a process is scheduled (sched(7)); empty where there is none. */
async function sessionOf(pid: number | 'self'): Promise<string> {
  const group = await readFile(`/proc/${pid}/autogroup`, 'utf8').catch(() => '');
  return group.split(' ')[0] ?? '';
}

/** Deletes what hosts that were killed left in the temporary folder: empty sockets and policies. */
export function sweepFolders(): void {
  const names = readdirSync(tmpdir()).filter((name) => name.startsWith(FOLDER_PREFIX));
  for (const name of names) {
    const pid = Number(name.slice(FOLDER_PREFIX.length).split('-')[0]);
    if (lives(pid)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Another user's.
    }
  }
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
