import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGeminiEmulator } from '#emulators/gemini/gemini-emulator.ts';
import { createApp } from '#server/app.ts';
import { loadConfig } from '#server/config.ts';
import { createDeps } from '#server/deps.ts';
import type { Clock } from '#server/platform/clock.ts';
import { listenHttp } from '#server/platform/http/http-server.ts';
import { createLog } from '#server/platform/log.ts';
import { createClient, type TestClient } from '../client.ts';
import { createTestDatabase, databaseSettings } from '../database/database.ts';
import { controlEmulator } from '../emulator-control.ts';
import { startGoogle } from './google.ts';
import { takeMailedLinks } from './mailed-links.ts';

/** A clock that stands until it is moved. */
class StandingClock implements Clock {
  #now = Date.now();
  now = () => new Date(this.#now);
  databaseTime = () => this.now();

  pass(ms: number) {
    this.#now += ms;
  }
}

export type AccountsApp = Awaited<ReturnType<typeof startAccountsApp>>;

/**
 * The product for thousands of sign-ins: all routes on a real database, asked without a socket, passwords hashed cheaply, mail
 * handed over when it is asked for, and a clock that stands.
 */
export async function startAccountsApp() {
  const [database, google, gemini] = await Promise.all([
    createTestDatabase(),
    startGoogle(),
    startGeminiEmulator({ port: 0 }),
  ]);
  await controlEmulator(gemini.url).pace({ ttftMs: 600_000, gapMs: 1, jitter: 0 });
  const log = createLog('silent');
  const http = await listenHttp('127.0.0.1', 0, log);
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-accounts-'));
  const config = loadConfig({
    PORT: String(http.port),
    ...databaseSettings(database.url),
    // Requests come one after another: more connections would only plan the same statements again.
    DATABASE_POOL_SIZE: '2',
    DATA_DIR: dataDir,
    GEMINI_BASE_URL: gemini.url,
    GEMINI_API_KEY: 'emulator',
    UPSTREAM_FIRST_TOKEN_TIMEOUT_MS: '900000',
    PASSWORD_HASH_MEMORY_KIB: '8',
    SMTP_URL: 'smtp://127.0.0.1:9',
    TRUST_PROXY: '1',
    ...google.settings,
  });
  const clock = new StandingClock();
  await database.keepPlans();
  const deps = createDeps(config, config.databaseUrl ?? database.url, { clock, log });
  await deps.instance.start();
  await deps.bus.start();
  deps.generation.start();
  const app = createApp(deps, { find: () => null, fallback: null });
  http.serve(app.fetch);

  return {
    clock,
    google,
    config,
    url: `http://127.0.0.1:${http.port}`,
    /** A browser on a network, with the cookies that are given. */
    visit(network: string, userAgent: string, cookie = ''): TestClient {
      return createClient({
        url: config.publicUrl,
        origin: config.publicUrl,
        cookie,
        headers: { 'x-forwarded-for': network, 'user-agent': userAgent },
        send: async (url, init) => app.fetch(new Request(url, init), {}),
      });
    },
    /** The links of the mails that wait; of notices too where `notices` says so. */
    takeMails: (reads: { notices: boolean }) => takeMailedLinks(deps, reads),
    /** Throws the mails away that wait. */
    async dropMails() {
      await deps.database.sql`delete from mails where ended_at is null`;
    },
    async close() {
      http.stopAccepting();
      await deps.generation.drain(0);
      deps.sse.close();
      await http.close(0);
      deps.generation.close();
      await deps.bus.close();
      await deps.instance.stop();
      deps.upstream.close();
      await deps.database.close();
      await Promise.all([database.drop(), google.close(), gemini.close()]);
      rmSync(dataDir, { recursive: true });
    },
  };
}
