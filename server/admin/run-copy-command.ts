import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '#server/config.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { reachPostgres } from '#server/platform/postgres/reach-postgres.ts';
import type { Outcome } from './act-commands.ts';
import { SECRET_FILE } from './copies/backup-file-rules.ts';
import { exportBackup } from './copies/export-backup.ts';
import { moveDatabase } from './copies/move-database.ts';
import { readBackup, restoreBackup, restoreSecret } from './copies/restore-backup.ts';
import type { RestoredTable } from './copies/restore-tables.ts';
import { runDrill } from './copies/run-drill.ts';

/** Where the data is, and PostgreSQL itself where a pooler stands before it. */
interface Where {
  dataDir: string;
  /** Null: the embedded PostgreSQL. */
  databaseUrl: string | null;
}

const COMMANDS = {
  'move-database': move,
  backup,
  restore,
  drill,
} satisfies Record<string, (where: Where, path: string) => Promise<Outcome>>;

/** Commands that copy whole databases. */
export type CopyName = keyof typeof COMMANDS;

export function isCopyName(name: string): name is CopyName {
  return Object.hasOwn(COMMANDS, name);
}

/** Copies a database as an operator typed. Throws, with what to do, where it cannot be done. */
export function runCopyCommand(
  { dataDir, databaseUrl, databaseDirectUrl }: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl'>,
  name: CopyName,
  [path = '']: readonly string[],
): Promise<Outcome> {
  return COMMANDS[name]({ dataDir, databaseUrl: databaseDirectUrl ?? databaseUrl }, resolve(path));
}

/** From the embedded PostgreSQL of `DATA_DIR`, which no server may be using, to the one of `DATABASE_URL`. */
async function move({ dataDir, databaseUrl }: Where): Promise<Outcome> {
  if (databaseUrl === null)
    throw new Error(
      '请用 DATABASE_URL 写明要搬到哪个数据库。\nSay with DATABASE_URL where the data is to go.',
    );
  if (!existsSync(join(dataDir, 'postgres')))
    throw new Error(
      `${dataDir} 里没有数据，请设置 DATA_DIR。\nThere is no data in ${dataDir}: set DATA_DIR.`,
    );
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    return listed(
      await moveDatabase(postgres.url, databaseUrl),
      '已全部搬到 DATABASE_URL，原来的数据没有改动。请带着 DATABASE_URL 启动服务，并保留 DATA_DIR 里的 auth-secret。\n' +
        'All of it is at DATABASE_URL now, and what was in DATA_DIR is unchanged. Start the server with DATABASE_URL, and keep auth-secret in DATA_DIR.',
    );
  } finally {
    await postgres.stop();
  }
}

async function backup({ dataDir, databaseUrl }: Where, folder: string): Promise<Outcome> {
  const postgres = databaseUrl === null ? await reachPostgres(dataDir) : null;
  try {
    const secret = join(dataDir, SECRET_FILE);
    const written = await exportBackup({
      databaseUrl: databaseUrl ?? postgres?.url ?? '',
      folder,
      secretFile: existsSync(secret) ? secret : null,
      at: new Date(),
    });
    const tables = written.backup.tables.map(({ name, rows }) => ({ table: name, rows }));
    return listed(tables, `已备份到 ${written.path}\nThe backup is in ${written.path}`);
  } finally {
    await postgres?.close();
  }
}

/** Into the database of `DATABASE_URL`, else into the embedded one of `DATA_DIR`, which no server may be using. */
async function restore({ dataDir, databaseUrl }: Where, path: string): Promise<Outcome> {
  const backup = await readBackup(path);
  const postgres = databaseUrl === null ? await startEmbeddedPostgres({ dataDir }) : null;
  try {
    const restored = await restoreBackup(backup, databaseUrl ?? postgres?.url ?? '');
    const hasSecret = await restoreSecret(backup, dataDir);
    return listed(
      restored,
      hasSecret
        ? `已恢复，auth-secret 也已放回 ${dataDir}。\nRestored, and auth-secret is in ${dataDir}.`
        : '已恢复。请用备份时的 AUTH_SECRET 启动，否则所有人都要重新登录，两步验证也会失效。\nRestored. Start with the AUTH_SECRET of the time of the backup, or everybody is signed out and no second factor works.',
    );
  } finally {
    await postgres?.stop();
  }
}

async function drill(_: Where, path: string): Promise<Outcome> {
  const { tables, rows, bytes, seconds, drift } = await runDrill(path);
  const row = { tables, rows, bytes, seconds: seconds.toFixed(1), drift };
  return { sections: [{ title: '恢复演练 Restore drill', rows: [row] }], code: drift > 0 ? 1 : 0 };
}

function listed(tables: readonly RestoredTable[], next: string): Outcome {
  const rows = tables.map((table) => ({ ...table }));
  return { sections: [{ title: '已复制 Copied', rows }, next], code: 0 };
}
