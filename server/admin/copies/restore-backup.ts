import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { BACKUP_FILE, type Backup, backupSchema, SECRET_FILE } from './backup-file-rules.ts';
import { openConnection } from './open-connection.ts';
import { type RestoredTable, restoreTables } from './restore-tables.ts';

/** A backup whose every byte was found as it was written. */
interface SoundBackup extends Backup {
  path: string;
  /** What its files take. */
  bytes: number;
}

/**
 * Reads what the backup in `path` says of itself, and every byte of it. Throws, with what is wrong, when it is none, was written by
 * a later version, or a file is missing or was changed.
 */
export async function readBackup(path: string): Promise<SoundBackup> {
  const text = await readFile(join(path, BACKUP_FILE), 'utf8').catch((cause) => {
    throw new Error(`${path} 不是备份。${path} is no backup.`, { cause });
  });
  const parsed = backupSchema.safeParse(parseJson(text));
  if (!parsed.success)
    throw new Error(
      `读不懂 ${path} 里的 ${BACKUP_FILE}。The ${BACKUP_FILE} in ${path} cannot be understood.\n${parsed.error.message}`,
    );
  let bytes = 0;
  for (const { file, sha256 } of parsed.data.tables) {
    if ((await hashFile(join(path, file))) !== sha256)
      throw new Error(`备份里的 ${file} 已损坏。The file ${file} of the backup is damaged.`);
    bytes += (await stat(join(path, file))).size;
  }
  return { ...parsed.data, path, bytes };
}

/** What is no JSON is no object either. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Null: there is no such file. */
async function hashFile(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
  return hash.digest('hex');
}

/** Writes a backup into the database at `databaseUrl`: all of it, or nothing. Throws as `restoreTables`. */
export async function restoreBackup(
  { path, tables, sequences }: SoundBackup,
  databaseUrl: string,
): Promise<RestoredTable[]> {
  const files = new Map(tables.map(({ name, file }) => [name, file]));
  return openConnection(databaseUrl, (target) =>
    restoreTables(target, databaseUrl, {
      tables,
      sequences,
      open: async ({ name }) => createReadStream(join(path, files.get(name) ?? '')).compose(createGunzip()),
    }),
  );
}

/** Puts the secret of a backup into `dataDir`, unless there is none or another one stands in its place. True: it was put there. */
export async function restoreSecret({ path }: SoundBackup, dataDir: string): Promise<boolean> {
  try {
    await mkdir(dataDir, { recursive: true });
    await copyFile(join(path, SECRET_FILE), join(dataDir, SECRET_FILE), constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'EEXIST') return false;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
