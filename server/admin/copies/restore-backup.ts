import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { BACKUP_FILE, type Backup, backupSchema, SECRET_FILE } from './backup-file-rules.ts';
import { openConnection } from './open-connection.ts';
import { type RestoredTable, restoreTables } from './restore-tables.ts';

/**
 * Reads what the backup in `path` says of itself, and every byte of it. Throws, with what is wrong, when it is none, was written by
 * a later version, or a file is missing or was changed.
 */
async function readBackup(path: string): Promise<Backup> {
  const text = await readFile(join(path, BACKUP_FILE), 'utf8').catch((cause) => {
    throw new Error(`${path} 不是备份。${path} is no backup.`, { cause });
  });
  const parsed = backupSchema.safeParse(JSON.parse(text));
  if (!parsed.success)
    throw new Error(
      `读不懂 ${path} 里的 ${BACKUP_FILE}。The ${BACKUP_FILE} in ${path} cannot be understood.\n${parsed.error.message}`,
    );
  for (const { file, sha256 } of parsed.data.tables) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(path, file)), hash);
    if (hash.digest('hex') !== sha256)
      throw new Error(`备份里的 ${file} 已损坏。The file ${file} of the backup is damaged.`);
  }
  return parsed.data;
}

/** Writes a backup into the database at `databaseUrl`: all of it, or nothing. Throws as `readBackup` and `restoreTables`. */
export async function restoreBackup(path: string, databaseUrl: string): Promise<RestoredTable[]> {
  const { tables, sequences } = await readBackup(path);
  const files = new Map(tables.map(({ name, file }) => [name, file]));
  return openConnection(databaseUrl, (target) =>
    restoreTables(target, databaseUrl, {
      tables,
      sequences,
      open: async ({ name }) => createReadStream(join(path, files.get(name) ?? '')).compose(createGunzip()),
    }),
  );
}

/** Puts the secret of a backup into `dataDir`, where both are there and no other one stands in its place. True: it was put there. */
export async function restoreSecret(path: string, dataDir: string): Promise<boolean> {
  try {
    await copyFile(join(path, SECRET_FILE), join(dataDir, SECRET_FILE), constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (isMissingOrThere(error)) return false;
    throw error;
  }
}

function isMissingOrThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EEXIST');
}
