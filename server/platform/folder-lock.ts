import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

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
 * Holds `folder` (made if missing) for this process until `release` or its death. Throws `FolderInUse`.
 * SQLite's lock is the operating system's own: it dies with the process, so no stale lock or reused pid can mislead.
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true });
  const holder = join(folder, 'parley.pid');
  const lock = new DatabaseSync(join(folder, 'parley.lock'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) {
      throw new FolderInUse(folder, readPid(holder));
    }
    throw error;
  }
  writeFileSync(holder, `${process.pid}\n`);
  return { release: () => lock.close() };
}

function readPid(file: string) {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || null;
  } catch {
    return null;
  }
}
