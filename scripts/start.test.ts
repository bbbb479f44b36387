import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPidFile } from '#server/platform/postgres/postgres-orphan.ts';
import { type ChildProgram, startChild } from '#test/child-program.ts';
import { copyCluster } from '#test/database/copied-cluster.ts';
import { createTestDatabase, databaseSettings } from '#test/database/database.ts';
import { WAIT_TIMEOUT_MS } from '#test/patient.ts';
import { IS_LONG, POSTGRES_VERSIONS } from '#test/runs.ts';

let dataDir: string;
let started: ChildProgram[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-start-'));
  started = [];
});

afterEach(async () => {
  for (const { process } of started) process.kill('SIGTERM');
  await Promise.all(started.map(({ ended }) => ended));
  rmSync(dataDir, { recursive: true });
});

/** `npm start` as it is after everything is installed. */
function start(env: Record<string, string> = {}) {
  const { PATH = '' } = process.env;
  const program = startChild(process.execPath, ['scripts/start.ts'], {
    env: { PATH, DATA_DIR: dataDir, PORT: '0', ...env },
  });
  started.push(program);
  return program;
}

async function addresses(program: ChildProgram) {
  await program.line((line) => line.includes('Ctrl-C'));
  const output = stripVTControlCharacters(program.output());
  const url = /Address +(\S+)/.exec(output)?.[1] ?? '';
  const emulated = (name: string) => new RegExp(`${name} +(http\\S+)`).exec(output)?.[1] ?? null;
  const [gemini, creem, bagelpay] = ['gemini', 'creem', 'bagelpay'].map(emulated);
  return { url, gemini, creem, bagelpay, data: /Data +(\S+)/.exec(output)?.[1] };
}

async function callEmulator<T>(url: string, body?: unknown): Promise<T> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url, { headers: { 'x-api-key': 'creem_test_key' }, ...init });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

/** What `ps` shows of every program of the machine. */
function argumentsOfAll(): string[] {
  return execFileSync('ps', ['-eww', '-o', 'args='], { encoding: 'utf8', maxBuffer: 50_000_000 }).split('\n');
}

const status = (url: string) => fetch(url).then((response) => response.status);

/** The first start builds the pages where nothing has built them yet. */
const START_MS = 16 * WAIT_TIMEOUT_MS;

describe('npm start', { timeout: START_MS }, () => {
  it('serves pages and an emulated model, says where the data is, and tells no secret in the arguments of its programs', async () => {
    const { url, gemini, data } = await addresses(start());
    expect(await status(`${url}/readyz`)).toBe(200);
    expect(await (await fetch(`${url}/en`)).text()).toContain('<html lang="en"');
    expect(await status(`${gemini}/__control/requests`)).toBe(200);
    expect(data).toBe(join(dataDir, 'postgres'));
    const names = ['auth-secret', 'emulators/creem-webhook-secret', 'emulators/bagelpay-webhook-secret'];
    const secrets = names.map((name) => readFileSync(join(dataDir, name), 'utf8'));
    expect(secrets.every((secret) => secret.length > 20)).toBe(true);
    const programs = argumentsOfAll();
    expect(programs.filter((line) => line.includes(join(dataDir, 'emulators')))).toHaveLength(1);
    for (const line of programs) expect(secrets.some((secret) => line.includes(secret))).toBe(false);
  });

  it.runIf(IS_LONG)('stops everything it started on Ctrl-C, however often it is pressed', async () => {
    copyCluster(dataDir);
    const program = start();
    const { url, gemini } = await addresses(program);
    const postgres = readPidFile(join(dataDir, 'postgres'))?.pid;
    program.process.kill('SIGINT');
    program.process.kill('SIGINT');
    expect(await program.ended).toBe(0);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    await expect(fetch(`${gemini}/__control/requests`)).rejects.toThrow();
    expect(() => process.kill(Number(postgres), 0)).toThrow('ESRCH');
    expect(readPidFile(join(dataDir, 'postgres'))).toBe(null);
  });

  it.runIf(IS_LONG)('is refused while another one has the data, and does not disturb it', async () => {
    copyCluster(dataDir);
    const first = start();
    const { url } = await addresses(first);
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`数据目录 ${dataDir} 正被进程 ${first.process.pid} 使用`);
    expect(second.output()).toContain(`The data folder ${dataDir} is in use by process ${first.process.pid}`);
    expect(await status(`${url}/readyz`)).toBe(200);
  });

  it.runIf(IS_LONG)('starts again after it was killed, over the PostgreSQL that was left', async () => {
    copyCluster(dataDir);
    const killed = start();
    const { gemini } = await addresses(killed);
    const orphan = readPidFile(join(dataDir, 'postgres'))?.pid;
    killed.process.kill('SIGKILL');
    await killed.ended;
    expect(() => process.kill(Number(orphan), 0)).not.toThrow();
    const { url } = await addresses(start());
    expect(await status(`${url}/readyz`)).toBe(200);
    expect(() => statSync(`/proc/${orphan}/cwd`)).toThrow();
    await expect.poll(() => fetch(`${gemini}/__control/requests`).catch(() => null)).toBe(null);
  });

  it.runIf(IS_LONG).for(POSTGRES_VERSIONS)('uses an external PostgreSQL %i', async (version) => {
    const database = await createTestDatabase({ version });
    const program = start({ ...databaseSettings(database.url), GEMINI_API_KEY: 'a-key' });
    const { url, gemini, data } = await addresses(program);
    expect(await status(`${url}/readyz`)).toBe(200);
    expect({ gemini, data }).toEqual({ gemini: null, data: 'DATABASE_URL' });
    program.process.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    expect(readPidFile(join(dataDir, 'postgres'))).toBe(null);
    await database.drop();
  });

  it.runIf(IS_LONG)(
    'keeps what was bought over a kill: same hosted pages, same subscriptions, same webhook secret',
    async () => {
      copyCluster(dataDir);
      const killed = start();
      const before = await addresses(killed);
      const secretOf = (name: string) =>
        readFileSync(join(dataDir, `emulators/${name}-webhook-secret`), 'utf8');
      const secrets = [secretOf('creem'), secretOf('bagelpay')];
      const { checkout_url } = await callEmulator<{ checkout_url: string }>(`${before.creem}/v1/checkouts`, {
        product_id: 'prod_pro_annual',
      });
      const form = new URLSearchParams({ act: 'pay', card: '4242424242424242', email: 'a@example.test' });
      expect((await fetch(checkout_url, { method: 'POST', body: form })).status).toBe(200);
      const remembered = () => readFileSync(join(dataDir, 'emulators/payments.json'), 'utf8');
      await expect.poll(() => remembered().match(/"state":"delivered"/g)?.length).toBe(3);
      killed.process.kill('SIGKILL');
      await killed.ended;
      const after = await addresses(start());
      expect([after.creem, after.bagelpay]).toEqual([before.creem, before.bagelpay]);
      expect(await status(checkout_url)).toBe(200);
      const { subscriptions } = await callEmulator<{ subscriptions: unknown[] }>(
        `${after.creem}/__control/ledger`,
      );
      expect(subscriptions).toMatchObject([{ productId: 'prod_pro_annual', status: 'active' }]);
      const webhooks = await callEmulator<{ state: string }[]>(`${after.creem}/__control/webhooks`);
      expect(webhooks.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
      expect([secretOf('creem'), secretOf('bagelpay')]).toEqual(secrets);
    },
  );

  it.runIf(IS_LONG)(
    'emulates nothing that is to be off, and what has no key is then not configured',
    async () => {
      copyCluster(dataDir);
      const { url, gemini, creem, bagelpay } = await addresses(start({ EMULATORS: 'off' }));
      expect([gemini, creem, bagelpay]).toEqual([null, null, null]);
      expect(await status(`${url}/readyz`)).toBe(200);
    },
  );

  it('lists every bad setting at once', async () => {
    const program = start({ PORT: 'x', LOG_LEVEL: 'loud' });
    expect(await program.ended).toBe(1);
    expect(program.output()).toMatch(/PORT[\s\S]*LOG_LEVEL/);
  });
});
