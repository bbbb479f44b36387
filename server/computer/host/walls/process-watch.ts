import { readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FOLDER_PREFIX } from './launch-browser.ts';

const KB = 1_024;

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
