import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { SITE_HOSTS } from '#emulators/site/site-emulator.ts';
import { type Emulators, startEmulators } from '#scripts/start-emulators.ts';
import { connectPostgres } from '#server/platform/database/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { type Program, startProgram, waitForLine } from './start-program.ts';

/** A product in production mode on a durable PostgreSQL, with its model provider played by the emulator. */
export interface Rig {
  url: string;
  authSecret: string;
  server: Program;
  /** One more server on the same database, with further settings; `close` ends it. */
  addServer(env?: Record<string, string>): Promise<RunningServer>;
  emulator: Program & { url: string };
  /** The payment providers, where they were asked for. */
  payments: Emulators;
  /** `folder`: of its data. */
  postgres: { pid: number; version: string; url: string; folder: string; sql: Sql };
  /** The process that asks and reads the answers, one for all loads: what it has compiled once it does not compile again. */
  client(): Program;
  close(): Promise<void>;
}

export interface RunningServer {
  server: Program;
  url: string;
}

interface RigOptions {
  /** For the server. */
  nodeFlags?: string[];
  /** Who takes payments. */
  emulate?: readonly ('creem' | 'bagelpay')[];
  /** The checkout that the server runs from. */
  root?: string;
  /** Further settings of the server. */
  env?: Record<string, string>;
  /** Called with each line that the server logs. */
  onLog?: (line: string) => void;
}

/** Starts all of it in a temporary folder. */
export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const { nodeFlags = [], emulate = [], root = process.cwd(), onLog } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const started: (() => Promise<void>)[] = [async () => rmSync(dataDir, { recursive: true, force: true })];
  const close = async () => {
    for (const stop of started.reverse()) await stop();
  };
  try {
    const postgres = await startEmbeddedPostgres({ dataDir });
    started.push(postgres.stop);
    const sql = connectPostgres(postgres.url, { max: 2 });
    started.push(() => sql.end());
    const emulator = await startEmulator();
    started.push(emulator.stop);
    const payments = await startEmulators({ emulate, dataDir });
    started.push(payments.stop);
    const authSecret = randomBytes(32).toString('base64');
    const add = async (env: Record<string, string> = {}, folder = dataDir) => {
      const all = { ...payments.env, COMPUTER_TEST_HOSTS: emulator.testHosts, ...options.env, ...env };
      const settings = { authSecret, dataDir: folder, nodeFlags, root, env: all, onLog };
      const running = await startServer(postgres, emulator.url, settings);
      started.push(running.server.stop);
      return running;
    };
    const { server, url } = await add();
    await payments.connect(url);
    let client: Program | undefined;
    started.push(async () => client?.stop());
    const [row] = await sql<{ server_version: string }[]>`show server_version`;
    const version = `PostgreSQL ${row?.server_version.split(' ')[0]}`;
    return {
      url,
      authSecret,
      server,
      addServer: (env) => add(env, mkdtempSync(join(dataDir, 'server-'))),
      emulator,
      payments,
      postgres: { pid: postgres.pid, version, url: postgres.url, folder: postgres.folder, sql },
      client: () => (client ??= startProgram('bench/streams/client.ts', [], { channel: true })),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The model, and the site that it drives a browser on: in one process, since it is told what the pages show. */
async function startEmulator() {
  const program = startProgram('emulators/main.ts', ['gemini', 'site'], { readOutput: true });
  const line = await waitForLine(program, (text) => text.startsWith('{'));
  const { gemini, site } = JSON.parse(line) as { gemini: string; site: string };
  const testHosts = SITE_HOSTS.map((name) => `${name}=${new URL(site).host}`).join(',');
  return { ...program, url: gemini, testHosts };
}

interface ServerSettings {
  authSecret: string;
  dataDir: string;
  nodeFlags: string[];
  root: string;
  env: Record<string, string>;
  onLog: ((line: string) => void) | undefined;
}

async function startServer(
  postgres: EmbeddedPostgres,
  emulatorUrl: string,
  settings: ServerSettings,
): Promise<RunningServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const shipped = readShipped(settings.root);
  const env = {
    ...shipped.env,
    NODE_ENV: 'production',
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: settings.dataDir,
    DATABASE_URL: postgres.url,
    AUTH_SECRET: settings.authSecret,
    GEMINI_API_KEY: 'bench',
    GEMINI_BASE_URL: emulatorUrl,
    ...settings.env,
    NODE_COMPILE_CACHE: join(settings.dataDir, 'compile'),
  };
  execFileSync(process.execPath, ['-e', "import('./server/main.ts')"], {
    cwd: settings.root,
    env: { ...process.env, ...env },
  });
  const nodeFlags = [...shipped.nodeFlags, ...settings.nodeFlags];
  const { root, onLog } = settings;
  const server = startProgram('server/main.ts', [], {
    env,
    nodeFlags,
    root,
    readOutput: onLog !== undefined,
  });
  if (onLog && server.child.stdout) createInterface({ input: server.child.stdout }).on('line', onLog);
  for (let left = 300; !(await isReady(url)); left -= 1) {
    if (left === 0 || server.child.exitCode !== null) throw new Error('the server did not become ready');
    await sleep(100);
  }
  return { server, url };
}

/**
 * How the container image starts the server: the flags of Node and the settings of malloc. Like the image, the rig compiles beforehand.
 * Where libjemalloc2 is not installed, the loader says so and goes on without it.
 */
function readShipped(root: string) {
  const image = readFileSync(join(root, 'Dockerfile'), 'utf8');
  // The last stage is the server's.
  const command = JSON.parse([...image.matchAll(/^CMD (\[.+\])$/gm)].at(-1)?.[1] ?? '[]') as string[];
  const settings = [...image.matchAll(/\b(MALLOC_ARENA_MAX|LD_PRELOAD)=(\S+)/g)];
  return {
    nodeFlags: command.filter((part) => part.startsWith('--')),
    env: Object.fromEntries(settings.map(([, name = '', value = '']) => [name, value])),
  };
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
}

/** A port that is free at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
