import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Larger than any pid an operating system gives out. */
const NO_PID = 4_194_305;

/** What `postmaster.pid` says: the pid and socket folder of the server, and whether it takes connections; null without a file. */
export function readPidFile(folder: string): { pid: number; socketFolder: string; ready: boolean } | null {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  return { pid: Number(lines[0]), socketFolder: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' };
}

/**
 * Stops the PostgreSQL that a killed process left running on a data folder, waiting up to 20 s; returns its pid, or null when there is none.
 * The caller holds the folder's lock. A pid that now belongs to another program is left alone.
 */
export async function stopOrphan(folder: string): Promise<number | null> {
  const file = readPidFile(folder);
  if (file === null) return null;
  const running = serves(file.pid, folder);
  if (running) await stopServer(file.pid, folder);
  else clearPid(folder, file.pid);
  if (/^parley-/.test(basename(file.socketFolder)))
    rmSync(file.socketFolder, { recursive: true, force: true });
  return running ? file.pid : null;
}

async function stopServer(pid: number, folder: string) {
  const signals: Record<number, NodeJS.Signals> = { 0: 'SIGINT', 10000: 'SIGQUIT', 15000: 'SIGKILL' };
  for (let waited = 0; serves(pid, folder); waited += 50) {
    const signal = signals[waited];
    if (signal) process.kill(pid, signal);
    if (waited > 20_000) throw new Error(`PostgreSQL ${pid} 没有停止 did not stop`);
    await sleep(50);
  }
}

/** PostgreSQL refuses to start while the pid in its file lives, whichever process that is now; the file's other lines still protect the data. */
function clearPid(folder: string, pid: number) {
  if (!lives(pid)) return;
  const file = join(folder, 'postmaster.pid');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(NO_PID)));
}

function lives(pid: number) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function serves(pid: number, folder: string) {
  try {
    if (existsSync('/proc/self/cwd')) {
      return (
        readlinkSync(`/proc/${pid}/cwd`) === folder &&
        readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
      );
    }
    const command = execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
    return command.includes('postgres') && command.includes(folder);
  } catch {
    return false;
  }
}
