import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another connection has the lock (sqlite3.h). */
const SQLITE_BUSY = 5;

/** The garbage collector closes a connection without a reference, and its lock with it. */
const held = new Set<DatabaseSync>();

export interface FolderLock {
  release(): void;
}

/** Another living process holds the folder; `pid` is null when it could not be read. */
export class FolderInUse extends Error {
  readonly folder: string;
  readonly pid: number | null;

  constructor(folder: string, pid: number | null) {
    const process = pid === null ? '' : ` ${pid}`;
    super(
      `数据目录 ${folder} 正被进程${process} 使用。请先停止它，或用 DATA_DIR 指定另一个目录。\n` +
        `The data folder ${folder} is in use by process${process}. Stop that one first, or set DATA_DIR to another folder.`,
    );
    this.name = 'FolderInUse';
    this.folder = folder;
    this.pid = pid;
  }
}

/**
 * Holds `folder` (made if missing) for this process until `release` or its death. Throws `FolderInUse`, or an error saying that it cannot
 * be written. SQLite's lock is the operating system's own: it dies with the process, so no stale lock or reused pid can mislead.
 */
export function lockFolder(folder: string): FolderLock {
  const holder = join(folder, 'parley.pid');
  const lock = openLock(folder);
  try {
    lock.exec('BEGIN EXCLUSIVE');
    writeFileSync(holder, `${process.pid}\n`);
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new FolderInUse(folder, readPid(holder));
    }
    throw unusable(folder, error);
  }
  held.add(lock);
  return {
    release: () => {
      if (held.delete(lock)) lock.close();
    },
  };
}

function openLock(folder: string) {
  try {
    mkdirSync(folder, { recursive: true });
    return new DatabaseSync(join(folder, 'parley.lock'), { timeout: 0 });
  } catch (error) {
    throw unusable(folder, error);
  }
}

function unusable(folder: string, cause: unknown) {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `当前用户无法写入数据目录 ${folder}，请检查其所有者，或设置 DATA_DIR。\n` +
      `This user cannot write to the data folder ${folder}: check who owns it, or set DATA_DIR. (${reason})`,
    { cause },
  );
}

function readPid(file: string) {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || null;
  } catch {
    return null;
  }
}
