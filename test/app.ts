import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGeminiEmulator } from '#emulators/gemini/gemini-emulator.ts';
import { sessionCookieName } from '#server/accounts/secrets/session-cookie.ts';
import { type App, createApp } from '#server/app.ts';
import { type Config, loadConfig } from '#server/config.ts';
import { createDeps, type Deps, type DepsOptions } from '#server/deps.ts';
import { listenHttp } from '#server/platform/http/http-server.ts';
import { createLog } from '#server/platform/log.ts';
import { startTracing } from '#server/platform/telemetry/tracing.ts';
import { startServices } from '#server/start-services.ts';
import { type ClientOptions, createClient, type TestClient } from './client.ts';
import { createTestDatabase, databaseSettings, type TestDatabase } from './database/database.ts';
import { controlEmulator, type EmulatorControl } from './emulator-control.ts';
import { insertSession, insertUser, type TestUser } from './factories.ts';

export interface TestAppOptions extends Omit<DepsOptions, 'tracing'> {
  version?: 18 | 15;
  /** Settings beside those of a test. */
  env?: Record<string, string>;
  /** A database that is there already; the app drops it. */
  database?: TestDatabase;
  /** Shares the database of another app, as a second process would; the other one drops it. */
  beside?: TestApp;
  /** Another reader of files, and who deletes copies at a provider. */
  fileJobs?: Parameters<typeof startServices>[1];
  /** Built pages; without them none. */
  files?: Parameters<typeof createApp>[1];
}

/** The whole server on a port of its own, with an own database and an own emulator of the model provider. */
export interface TestApp {
  url: string;
  config: Config;
  deps: Deps;
  app: App;
  database: TestDatabase;
  /** Controls the emulator behind this app. */
  gemini: EmulatorControl;
  geminiUrl: string;
  /** A visitor. */
  visit(options?: Partial<ClientOptions>): TestClient;
  /** A new user with 40 credits, signed in, made by SQL. */
  signedIn(user?: Parameters<typeof insertUser>[1]): Promise<TestClient & TestUser & { sessionId: string }>;
  /** The cookie of another session of a user, made by SQL. */
  cookieOf(userId: string): Promise<string>;
  /** The orderly stop of the server alone; `close` does the rest. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** The emulator takes any key; a browser is had by tests that bring one. */
const WITHOUT_KEYS = { GEMINI_API_KEY: 'emulator', COMPUTER_USE: 'off' };
/** A safe hash takes 12 ms of a core; a server on a public address refuses less. */
const CHEAP_HASHING = { PASSWORD_HASH_MEMORY_KIB: '8' };
/** As the product hashes by default, for tests of that and of the time that it takes. */
export const SAFE_HASHING = { PASSWORD_HASH_MEMORY_KIB: '' };

/** Starts it as `server/main.ts` would, without the embedded PostgreSQL. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { beside } = options;
  const database =
    beside?.database ?? options.database ?? (await createTestDatabase({ version: options.version }));
  const emulator = beside ? null : await startGeminiEmulator({ port: 0 });
  const geminiUrl = emulator?.url ?? beside?.geminiUrl ?? '';
  const gemini = controlEmulator(geminiUrl);
  if (emulator) await gemini.pace();
  const log = options.log ?? createLog('silent');
  const http = await listenHttp('127.0.0.1', 0, log);
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-app-'));
  const config = loadConfig({
    PORT: String(http.port),
    DATA_DIR: dataDir,
    ...databaseSettings(database.url),
    GEMINI_BASE_URL: geminiUrl,
    ...WITHOUT_KEYS,
    ...(options.env?.PUBLIC_URL ? {} : CHEAP_HASHING),
    ...(beside ? { AUTH_SECRET: beside.config.authSecret } : {}),
    ...options.env,
  });
  const tracing = await startTracing(config.tracing, log);
  const deps = createDeps(config, config.databaseUrl ?? database.url, { ...options, log, tracing });
  const stopServices = await startServices(deps, options.fileJobs);
  const app = createApp(deps, options.files ?? { find: () => null, fallback: null });
  http.serve(app.fetch);
  const url = `http://127.0.0.1:${http.port}`;
  const visit = (over: Partial<ClientOptions> = {}) => createClient({ url, origin: url, ...over });

  let stopping: Promise<void> | null = null;
  async function stopServer() {
    http.stopAccepting();
    await deps.generation.drain(0);
    deps.sse.close();
    await http.close(0);
    await stopServices();
    await deps.database.close();
    await tracing.stop();
  }
  const stop = () => (stopping ??= stopServer());
  async function openSession(userId: string) {
    const times = { createdAt: deps.clock.now() };
    const session = await insertSession(database.database.sql, userId, config.authSecret, times);
    return { ...session, cookie: `${sessionCookieName(config.publicUrl)}=${session.cookieValue}` };
  }

  return {
    url,
    config,
    deps,
    app,
    database,
    gemini,
    geminiUrl,
    visit,
    cookieOf: async (userId) => (await openSession(userId)).cookie,
    async signedIn(wanted) {
      const user = await insertUser(database.database.sql, wanted);
      const { cookie, ...session } = await openSession(user.userId);
      return Object.assign(visit({ cookie }), user, { sessionId: session.sessionId });
    },
    stop,
    async close() {
      await stop();
      await emulator?.close();
      if (!beside) await database.drop();
      rmSync(dataDir, { recursive: true });
    },
  };
}
