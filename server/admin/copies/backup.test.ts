import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upsertFrame } from '#server/computer/runs/frame-store.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { hashTables } from '#test/database/hash-tables.ts';
import { createEmptyDatabase } from '#test/database/old-database.ts';
import { IS_LONG } from '#test/runs.ts';
import { exportBackup } from './export-backup.ts';
import { readBackup, restoreBackup, restoreSecret } from './restore-backup.ts';
import { runDrill } from './run-drill.ts';

let home: TestApp;
let folder: string;
beforeAll(async () => {
  home = await createTestApp();
  folder = mkdtempSync(join(tmpdir(), 'parley-backups-'));
});
afterAll(async () => {
  await home.close();
  rmSync(folder, { recursive: true, force: true });
});

const restore = async (path: string, url: string) => restoreBackup(await readBackup(path), url);
const take = (name: string, secretFile: string | null = null) =>
  exportBackup({
    databaseUrl: home.database.url,
    folder: join(folder, name),
    secretFile,
    at: new Date('2026-11-26T01:02:03Z'),
  });

describe('a backup', () => {
  it('holds no live picture of a browser run', async () => {
    const { sql } = home.database.database;
    const user = await home.signedIn();
    const { id } = await ask(user);
    await sql`insert into computer_runs (message_id, user_id, state) values (${id}, ${user.userId}, 'running')`;
    await upsertFrame(sql, id, 'a card number');
    const { path, backup } = await take('watched');
    for (const { file } of backup.tables)
      expect(gunzipSync(readFileSync(join(path, file))).includes('a card number')).toBe(false);
    await sql`delete from computer_runs where message_id = ${id}`;
  });

  it.runIf(IS_LONG)('shows one moment while people go on writing, and is restored whole', async () => {
    const user = await home.signedIn();
    await ask(user);
    let isTaken = false;
    const writing = (async () => {
      while (!isTaken) await ask(await home.signedIn());
    })();
    const { path, backup } = await take('busy');
    isTaken = true;
    await writing;
    expect(path).toBe(join(folder, 'busy', 'parley-2026-11-26T01-02-03Z'));
    const target = await createEmptyDatabase();
    const restored = await restore(path, target.url);
    expect(restored.map(({ table, rows }) => [table, rows])).toEqual(
      backup.tables.map(({ name, rows }) => [name, rows]),
    );
    await expectNoDrift(target.database.sql);
    const there = await createTestApp({ database: target });
    expect(await ask(await there.signedIn())).toMatchObject({ status: 'completed' });
    await there.close();
  });

  it.runIf(IS_LONG)(
    'is equal to the database that it was taken of, in a PostgreSQL of another version too',
    async () => {
      await home.stop();
      const { path } = await take('quiet');
      const before = await hashTables(home.database.database.sql);
      for (const version of [15, 18] as const) {
        const target = await createEmptyDatabase({ version });
        await restore(path, target.url);
        expect(await hashTables(target.database.sql)).toEqual(before);
        await target.drop();
      }
    },
  );

  it.runIf(IS_LONG)(
    'is restored where names are sorted in another way, as Amazon RDS sorts them',
    async () => {
      const { path, backup } = await take('sorted');
      const tables = backup.tables.toReversed();
      writeFileSync(join(path, 'backup.json'), JSON.stringify({ ...backup, tables }));
      const target = await createEmptyDatabase();
      const restored = await restore(path, target.url);
      expect(restored.map(({ table, rows }) => [table, rows])).toEqual(
        backup.tables.map(({ name, rows }) => [name, rows]),
      );
      await target.drop();
    },
  );

  it('is for the eyes of its owner alone, and keeps the secret of sessions', async () => {
    const dataDir = mkdtempSync(join(folder, 'data-'));
    writeFileSync(join(dataDir, 'auth-secret'), 'secret', { mode: 0o600 });
    const { path } = await take('private', join(dataDir, 'auth-secret'));
    expect(statSync(path).mode & 0o077).toBe(0);
    for (const file of readdirSync(path)) expect(statSync(join(path, file)).mode & 0o077).toBe(0);
    const backup = await readBackup(path);
    expect(await restoreSecret(backup, dataDir)).toBe(false);
    rmSync(join(dataDir, 'auth-secret'));
    expect(await restoreSecret(backup, dataDir)).toBe(true);
    expect(readFileSync(join(dataDir, 'auth-secret'), 'utf8')).toBe('secret');
  });

  it('that is damaged, or none, is refused, and nothing is written', async () => {
    const { path, backup } = await take('damaged');
    const target = await createEmptyDatabase();
    const file = join(path, backup.tables.find(({ name }) => name === 'messages')?.file ?? '');
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9);
    writeFileSync(file, bytes);
    await expect(restore(path, target.url)).rejects.toThrow(/messages\.copy\.gz of the backup is damaged/);
    rmSync(file);
    await expect(restore(path, target.url)).rejects.toThrow(/messages\.copy\.gz of the backup is damaged/);
    writeFileSync(join(path, 'backup.json'), '{"format":');
    await expect(restore(path, target.url)).rejects.toThrow(/backup\.json in .* cannot be understood/);
    await expect(restore(folder, target.url)).rejects.toThrow(/is no backup/);
    const tables = await target.database
      .sql`select from pg_tables where schemaname in ('public', 'credit', 'billing')`;
    expect(tables.count).toBe(0);
    await target.drop();
  });

  it('that could not be written to its end leaves nothing', async () => {
    const at = new Date('2026-11-26T01:02:03Z');
    const url = `${home.database.url.replace(/\/test_\w+\?/, '/nowhere?')}`;
    await expect(
      exportBackup({ databaseUrl: url, folder: join(folder, 'cut'), secretFile: null, at }),
    ).rejects.toThrow();
    expect(readdirSync(join(folder, 'cut'))).toEqual([]);
  });

  it.runIf(IS_LONG)(
    'is tried by a drill: restored into a database that is thrown away, its ledger checked',
    async () => {
      const { path, backup } = await take('drill');
      const drill = await runDrill(path);
      expect(drill).toMatchObject({ tables: backup.tables.length, drift: 0 });
      expect(drill.rows).toBe(backup.tables.reduce((sum, { rows }) => sum + rows, 0));
    },
  );
});
