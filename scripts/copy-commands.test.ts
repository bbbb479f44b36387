import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGeminiEmulator } from '#emulators/gemini/gemini-emulator.ts';
import { openConnection } from '#server/admin/copies/open-connection.ts';
import { connectPostgres } from '#server/platform/database/database.ts';
import { readPidFile } from '#server/platform/postgres/postgres-orphan.ts';
import { reachPostgres } from '#server/platform/postgres/reach-postgres.ts';
import { adminEnv, runAdmin } from '#test/admin/admin-program.ts';
import { ask, creditsOf, send, textOf, waitForEnd } from '#test/chat/chat.ts';
import { startChild } from '#test/child-program.ts';
import { createClient, type TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { createTestDatabase, databaseSettings, type TestDatabase } from '#test/database/database.ts';
import { hashTables } from '#test/database/hash-tables.ts';
import { createEmptyDatabase } from '#test/database/old-database.ts';
import { controlEmulator } from '#test/emulator-control.ts';
import { openEvents } from '#test/events.ts';
import { insertUser } from '#test/factories.ts';
import { PATIENT } from '#test/patient.ts';
import { IS_LONG } from '#test/runs.ts';
import { describeWithout } from '#test/skipped.ts';

describeWithout([!IS_LONG && 'only in the long run'], 'databases that are copied by command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-copies-'));
  const at = (...names: string[]) => join(folder, ...names);
  const dataDir = at('data');
  const servers = new Set<ReturnType<typeof startChild>>();
  let emulator: Awaited<ReturnType<typeof startGeminiEmulator>>;
  let home: Awaited<ReturnType<typeof startServer>>;
  let ann: TestClient;
  let backup: string;

  beforeAll(async () => {
    emulator = await startGeminiEmulator({ port: 0 });
    await controlEmulator(emulator.url).pace();
    home = await startServer({ DATA_DIR: dataDir });
    ann = home.visit();
    await ann.signUp();
  }, 300_000);
  afterAll(async () => {
    for (const server of servers) server.process.kill('SIGTERM');
    await Promise.all([...servers].map(({ ended }) => ended));
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  }, 300_000);

  /** The server as it is started without `npm start`. */
  async function startServer(env: Record<string, string>) {
    const settings = {
      ...{ PORT: '0', GEMINI_API_KEY: 'emulator', GEMINI_BASE_URL: emulator.url },
      ...{ COMPUTER_USE: 'off', PASSWORD_HASH_MEMORY_KIB: '8', SHUTDOWN_DEADLINE_MS: '0' },
    };
    const program = startChild(process.execPath, ['server/main.ts'], {
      env: adminEnv({ ...settings, ...env }),
    });
    servers.add(program);
    const { url } = JSON.parse(await program.line((line) => line.includes('"serving"'))) as { url: string };
    return { program, visit: (cookie = '') => createClient({ url, origin: url, cookie }) };
  }

  async function stop({ program }: Awaited<ReturnType<typeof startServer>>, signal: NodeJS.Signals) {
    program.process.kill(signal);
    servers.delete(program);
    return program.ended;
  }

  /** All rows of the embedded database, whether a server has it or not. */
  async function hashEmbedded(dir: string) {
    const postgres = await reachPostgres(dir);
    return openConnection(postgres.url, hashTables).finally(postgres.close);
  }

  it('refuse what is mistyped or cannot be, say why, and make nothing', async () => {
    const nowhere = { DATA_DIR: at('nowhere') };
    const target = { DATABASE_URL: 'postgres://parley@127.0.0.1:9/parley' };
    mkdirSync(at('no-backup'));
    for (const [env, args, code, text] of [
      [nowhere, ['backup'], 2, 'It takes 1 arguments'],
      [nowhere, ['backup', ''], 2, 'It takes 1 arguments'],
      [nowhere, ['restore'], 2, 'npm run admin -- restore <backup>'],
      [nowhere, ['drill', 'a', 'b'], 2, 'npm run admin -- drill <backup>'],
      [target, ['move-database', dataDir], 2, 'It takes 0 arguments'],
      [nowhere, ['move-database'], 1, 'Say with DATABASE_URL'],
      [{ ...nowhere, ...target }, ['move-database'], 1, 'There is no data in'],
      [nowhere, ['backup', at('backups')], 1, 'There is no data in'],
      [nowhere, ['restore', at('no-backup')], 1, 'is no backup'],
      [{ ...nowhere, TMPDIR: at('no-backup') }, ['drill', at('missing')], 1, 'is no backup'],
      [target, ['restore', at('no-backup')], 1, 'is no backup'],
      [target, ['backup', at('backups')], 1, 'ECONNREFUSED'],
    ] as const) {
      const ended = await runAdmin(env as Record<string, string>, ...args);
      expect(ended, args.join(' ')).toEqual({ code, output: expect.stringContaining(text) });
      expect(ended.output).not.toMatch(/\n {4}at /);
    }
    expect(readdirSync(folder).sort()).toEqual(['backups', 'data', 'no-backup']);
    expect([...readdirSync(at('backups')), ...readdirSync(at('no-backup'))]).toEqual([]);
  }, 600_000);

  it('bring a database back as it was when it was backed up, into a new DATA_DIR', async () => {
    const before = await ask(ann, { content: 'before the backup' });
    const taken = await runAdmin({ DATA_DIR: dataDir }, 'backup', at('backups'));
    expect(taken).toEqual({ code: 0, output: expect.stringContaining('The backup is in') });
    backup = at('backups', readdirSync(at('backups'))[0] ?? '');
    const after = await ask(ann, { content: 'after the backup' });
    const ben = await home.visit().signUp();

    const drill = await runAdmin({ DATA_DIR: at('unused') }, 'drill', backup);
    expect(drill.code).toBe(0);
    const [, rows, bytes, seconds, drift] =
      /^ +(?:\d+) +(\d+) +(\d+) +([\d.]+) +(\d+)$/m.exec(drill.output) ?? [];
    expect([Number(rows) > 10, Number(bytes) > 1_000, Number(seconds) > 0, drift]).toEqual([
      true,
      true,
      true,
      '0',
    ]);
    process.stdout.write(`a drill of ${rows} rows, ${bytes} bytes: ${seconds} s\n`);

    expect(await runAdmin({ DATA_DIR: dataDir }, 'restore', backup)).toEqual({
      code: 1,
      output: expect.stringContaining('is in use by process'),
    });
    const DATA_DIR = at('restored');
    const restored = await runAdmin({ DATA_DIR }, 'restore', backup);
    expect(restored).toEqual({ code: 0, output: expect.stringContaining('auth-secret is in') });
    const there = await startServer({ DATA_DIR });
    const again = there.visit(ann.cookie);
    expect(await (await again.get(`/api/messages/${before.id}`)).json()).toMatchObject({
      content: 'before the backup',
      response: before.response,
    });
    expect((await again.get(`/api/messages/${after.id}`)).status).toBe(404);
    const { email, password } = ben;
    expect((await there.visit().post('/api/auth/sign-in/email', { email, password })).status).toBe(401);
    expect(await creditsOf(again)).toBe((await creditsOf(ann)) + after.creditsUsed);
    expect(await ask(again)).toMatchObject({ status: 'completed' });
    await stop(there, 'SIGTERM');

    const rowsBefore = await hashEmbedded(DATA_DIR);
    expect(await runAdmin({ DATA_DIR }, 'restore', backup)).toEqual({
      code: 1,
      output: expect.stringContaining('has users already'),
    });
    expect(await hashEmbedded(DATA_DIR)).toEqual(rowsBefore);
    expect(await runAdmin({ DATA_DIR }, 'drift')).toMatchObject({ code: 0 });
  }, 600_000);

  it('bring a backup into a database of DATABASE_URL, with its secret into a DATA_DIR that is not there yet', async () => {
    const target = await createEmptyDatabase({ version: 18 });
    const env = { ...databaseSettings(target.url), DATA_DIR: at('other-machine') };
    expect(await runAdmin(env, 'restore', backup)).toMatchObject({ code: 0 });
    const secretIn = (dir: string) => readFileSync(join(dir, 'auth-secret'), 'utf8');
    expect(secretIn(env.DATA_DIR)).toBe(secretIn(dataDir));
    await expectNoDrift(target.database.sql);
    await target.drop();
  }, 600_000);

  it('stopped by a signal leave no files and no PostgreSQL', async () => {
    mkdirSync(at('tmp'));
    const found = () => readdirSync(at('tmp')).filter((name) => name.startsWith('parley-drill-'));
    const pidFile = () => readPidFile(at('tmp', found()[0] ?? '', 'postgres'));
    const drill = startChild(process.execPath, ['scripts/admin.ts', 'drill', backup], {
      env: adminEnv({ TMPDIR: at('tmp') }),
    });
    await expect
      .poll(() => ({ runs: pidFile()?.ready, output: drill.output() }))
      .toEqual({ runs: true, output: '' });
    const pid = pidFile()?.pid;
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    drill.process.kill('SIGTERM');
    expect(await drill.ended).toBe(143);
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
    expect(found()).toEqual([]);

    const postgres = await reachPostgres(dataDir);
    await openConnection(postgres.url, (sql) =>
      sql.begin(async (tx) => {
        await tx`lock table users`;
        const args = ['scripts/admin.ts', 'backup', at('backups')];
        const cut = startChild(process.execPath, args, { env: adminEnv({ DATA_DIR: dataDir }) });
        await expect
          .poll(() => readdirSync(at('backups')).some((name) => name.endsWith('.partial')))
          .toBe(true);
        cut.process.kill('SIGINT');
        expect(await cut.ended).toBe(130);
      }),
    );
    await postgres.close();
    expect(readdirSync(at('backups'))).toHaveLength(1);
  }, 600_000);

  it('move a database with an answer that runs to one of its own, and keep every other process out meanwhile', async () => {
    const target = await createTestDatabase({ version: 18 });
    const env = { ...databaseSettings(target.url), DATA_DIR: dataDir };
    const earlier = await ask(ann);
    await controlEmulator(emulator.url).pace({ ttftMs: 2, gapMs: 5, jitter: 0 });
    const credits = await creditsOf(ann);
    const { id } = await send(ann, { content: '/emulate never-ends' });
    const events = await openEvents(ann, `/api/messages/${id}/events`);
    await events.next((event) => event.id === 20);
    const empty = await hashTables(target.database.sql);
    const inUse = { code: 1, output: expect.stringContaining('is in use by process') };
    expect(await runAdmin(env, 'move-database')).toEqual(inUse);
    expect(await hashTables(target.database.sql)).toEqual(empty);
    await stop(home, 'SIGKILL');
    await events.ended;

    const moving = await holdMove(target, env);
    expect(await runAdmin(env, 'move-database')).toEqual(inUse);
    await expect(startServer({ DATA_DIR: dataDir })).rejects.toThrow(/is in use by process/);
    await moving.goOn();
    expect(await moving.ended, moving.output()).toBe(0);
    expect(moving.output()).toContain('All of it is at DATABASE_URL now');

    await controlEmulator(emulator.url).pace();
    const there = await startServer(env);
    const again = there.visit(ann.cookie);
    const cut = await waitForEnd(again, id);
    expect(cut).toMatchObject({ status: 'interrupted', creditsUsed: 0 });
    expect(cut.response.length).toBeGreaterThan(10);
    expect(cut.response.startsWith(textOf(events.received).slice(0, cut.response.length))).toBe(true);
    expect(await creditsOf(again)).toBe(credits);
    expect(await (await again.get(`/api/messages/${earlier.id}`)).json()).toMatchObject(earlier);
    expect(await ask(again)).toMatchObject({ status: 'completed' });
    await expectNoDrift(target.database.sql);
    await stop(there, 'SIGTERM');
    await target.drop();
  }, 600_000);

  /** Starts a move into a database of the same version whose table of users is locked: it has DATA_DIR, and waits until `goOn`. */
  async function holdMove(target: TestDatabase, env: Record<string, string>) {
    const holder = connectPostgres(target.url, { max: 1 });
    const held = await holder.reserve();
    await held`begin`;
    await held`lock table users`;
    const moving = startChild(process.execPath, ['scripts/admin.ts', 'move-database'], {
      env: adminEnv(env),
    });
    const waiting = () => target.database.sql`
      select from pg_stat_activity where application_name = 'parley copy' and wait_event_type = 'Lock'
         and datname = current_database()`;
    await expect.poll(async () => (await waiting()).count, PATIENT).toBe(1);
    return {
      ...moving,
      async goOn() {
        await held`rollback`;
        held.release();
        await holder.end();
      },
    };
  }

  it('leave a database as it is that has users, of an older version too', async () => {
    const target = await createTestDatabase({ version: 18 });
    const { sql } = target.database;
    await insertUser(sql);
    await sql`delete from schema_migrations where name = (select max(name) from schema_migrations)`;
    const before = [await hashTables(sql), (await sql`select from schema_migrations`).count];
    const env = { ...databaseSettings(target.url), DATA_DIR: dataDir };
    const refused = { code: 1, output: expect.stringContaining('has users already') };
    expect(await runAdmin(env, 'restore', backup)).toEqual(refused);
    expect(await runAdmin(env, 'move-database')).toEqual(refused);
    expect([await hashTables(sql), (await sql`select from schema_migrations`).count]).toEqual(before);
    await target.drop();
  }, 600_000);
});
