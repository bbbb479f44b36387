import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BACKUP_FILE, type Backup, SECRET_FILE } from './backup-file-rules.ts';
import { deleteOnExit } from './delete-on-exit.ts';
import { openConnection } from './open-connection.ts';
import { readCopy } from './read-copy.ts';
import type { DatabaseCopy } from './restore-tables.ts';

/** Only the user who runs this may read it: it holds what the database holds. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

interface BackupOptions {
  databaseUrl: string;
  /** The folder of backups; made if missing. */
  folder: string;
  /** A file to keep with it; null: none. */
  secretFile: string | null;
  at: Date;
}

/**
 * Writes all that the database holds at one moment into a new folder inside `folder`, while servers go on. The folder has its name
 * only once everything is on disk. Returns it and what it says of itself. Throws as `readCopy`.
 */
export async function exportBackup(options: BackupOptions): Promise<{ path: string; backup: Backup }> {
  const { databaseUrl, folder, secretFile, at } = options;
  const path = join(
    folder,
    `parley-${at
      .toISOString()
      .replace(/\.\d+Z$/, 'Z')
      .replaceAll(':', '-')}`,
  );
  const draft = `${path}.partial`;
  await rm(draft, { recursive: true, force: true });
  const keep = deleteOnExit(draft);
  await mkdir(draft, { recursive: true, mode: FOLDER_MODE });
  try {
    const backup = await openConnection(databaseUrl, (source) =>
      readCopy(source, (copy) => writeCopy(copy, draft, at)),
    );
    if (secretFile !== null) await copySecret(secretFile, join(draft, SECRET_FILE));
    const text = `${JSON.stringify(backup, null, 2)}\n`;
    await writeFile(join(draft, BACKUP_FILE), text, { mode: FILE_MODE, flush: true });
    await flush(draft);
    await rename(draft, path);
    await flush(folder);
    return { path, backup };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  } finally {
    keep();
  }
}

async function writeCopy(copy: DatabaseCopy, folder: string, at: Date): Promise<Backup> {
  const tables: Backup['tables'] = [];
  for (const table of copy.tables) {
    const file = `${table.name.replaceAll('"', '')}.copy.gz`;
    const hash = createHash('sha256');
    const hashing = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    const target = createWriteStream(join(folder, file), { mode: FILE_MODE, flush: true });
    await pipeline(await copy.open(table), createGzip({ level: 3 }), hashing, target);
    tables.push({ ...table, file, sha256: hash.digest('hex') });
  }
  return { format: 1, takenAt: at.toISOString(), tables, sequences: [...copy.sequences] };
}

async function copySecret(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await flush(to);
}

/** Waits until a file is on disk, or the names in a folder. */
async function flush(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
