import { fileURLToPath } from 'node:url';
import { captchaAddresses } from '#server/accounts/abuse/captcha-providers.ts';
import { missingSettingOf } from '#server/catalogue/rules.ts';
import { createApp } from './app.ts';
import { type Config, loadConfig } from './config.ts';
import { migrate } from './db/migrate.ts';
import { createDeps, type Deps, type DepsOptions } from './deps.ts';
import { checkPooler } from './platform/database/check-pooler.ts';
import { type HttpServer, listenHttp } from './platform/http/http-server.ts';
import { loadStaticFiles } from './platform/http/static-files.ts';
import { createLog, type Log } from './platform/log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/postgres/embedded-postgres.ts';
import { type ProcessFaults, watchProcessFaults } from './platform/process-faults.ts';
import { startTracing } from './platform/telemetry/tracing.ts';
import { startServices } from './start-services.ts';

const BUILD = fileURLToPath(new URL('../build/client', import.meta.url));
/** Stands in built pages for the origin; see web/lib/origin.ts. */
const ORIGIN_PLACEHOLDER = 'https://origin.invalid';
/** How long connections may take to send what is left, once everything that runs has ended. */
const CONNECTIONS_TIMEOUT_MS = 2_000;
/** How long a process with a fault waits for its answers: it is not to be trusted, and nobody is served meanwhile. */
const FAULT_DEADLINE_MS = 20_000;

export interface RunningServer {
  config: Config;
  log: Log;
  /** Where it answers on this machine. */
  url: string;
  /** Settles when the server cannot go on, with the reason. */
  broken: Promise<Error>;
  /**
   * Orderly: takes nothing new, lets running answers finish within the deadline or releases them, then ends everything
   * that `run` started. A second call ends the waiting. Both settle when all is done; neither rejects.
   */
  stop(): Promise<void>;
}

/**
 * Starts the server on the settings in `env`, with the embedded PostgreSQL unless `DATABASE_URL` is set; a proof may bring a
 * clock of its own. Throws, with nothing left running, when a setting is bad, the port is taken or the database cannot be had.
 */
export async function run(
  env: Record<string, string | undefined>,
  options: Pick<DepsOptions, 'clock'> = {},
): Promise<RunningServer> {
  const wanted = loadConfig(env);
  const log = createLog(wanted.logLevel);
  const http = await listenHttp(wanted.host, wanted.port, log);
  log.info({ port: http.port }, 'listening');
  const config = wanted.port === 0 ? loadConfig({ ...env, PORT: String(http.port) }) : wanted;
  let postgres: EmbeddedPostgres | null = null;
  let deps: Deps | null = null;
  try {
    postgres = config.databaseUrl
      ? null
      : await startEmbeddedPostgres({ dataDir: config.dataDir, cacheMb: config.databaseCacheMb });
    const databaseUrl = config.databaseUrl ?? postgres?.url ?? '';
    await migrateDatabase(config, databaseUrl, log);
    const tracing = await startTracing(config.tracing, log);
    deps = createDeps(config, databaseUrl, { ...options, log, tracing });
    const stopServices = await startServices(deps);
    const others = config.captcha ? captchaAddresses(config.captcha).sources : [];
    const files = loadStaticFiles(BUILD, config.publicUrl, ORIGIN_PLACEHOLDER, others);
    http.serve(createApp(deps, files).fetch);
    const url = `http://${config.host}:${http.port}`;
    log.info({ url, publicUrl: config.publicUrl, instanceId: deps.instanceId }, 'serving');
    warnOfMissingKeys(config, log);
    warnOfUnusedPrices(config, log);
    const faults = watchProcessFaults(log);
    const stop = createStop({ deps, http, postgres, stopServices, faults });
    return { config, log, url, broken: Promise.race([faults.broken, databaseEnded(postgres)]), stop };
  } catch (error) {
    await http.close(0);
    await deps?.database.close();
    await postgres?.stop();
    throw error;
  }
}

/** By the address of PostgreSQL itself, because a migration needs a session. */
async function migrateDatabase({ databaseDirectUrl }: Config, databaseUrl: string, log: Log) {
  await migrate(databaseDirectUrl ?? databaseUrl);
  if (databaseDirectUrl === null) return;
  const { hasTimeout } = await checkPooler(databaseUrl, databaseDirectUrl);
  if (!hasTimeout)
    log.warn(
      'statements through DATABASE_URL may run without end: set statement_timeout in its connect_query',
    );
}

interface Started {
  deps: Deps;
  http: HttpServer;
  postgres: EmbeddedPostgres | null;
  stopServices(): Promise<void>;
  faults: ProcessFaults;
}

function createStop({ deps, http, postgres, stopServices, faults }: Started): () => Promise<void> {
  const { config, log, generation, sse } = deps;
  const force = Promise.withResolvers<void>();
  let stopping: Promise<void> | null = null;

  async function attempt(what: string, step: () => Promise<void> | undefined) {
    try {
      await step();
    } catch (error) {
      log.error({ err: error }, `stopping ${what} failed`);
    }
  }

  async function stop() {
    log.info({ runningAnswers: generation.size }, 'stopping');
    http.stopAccepting();
    const inTime = generation.drain(config.shutdownDeadlineMs);
    const atOnce = force.promise.then(() => generation.drain(0));
    await attempt('running answers', () => Promise.race([inTime, atOnce]));
    sse.close();
    await attempt('connections', () => http.close(CONNECTIONS_TIMEOUT_MS));
    await attempt('services', stopServices);
    await attempt('the database pool', () => deps.database.close());
    await attempt('PostgreSQL', () => postgres?.stop());
    await deps.tracing.stop();
    faults.release();
    log.info('stopped');
  }

  return () => {
    if (stopping) force.resolve();
    stopping ??= stop();
    return stopping;
  };
}

async function databaseEnded(postgres: EmbeddedPostgres | null): Promise<Error> {
  if (!postgres) return new Promise(() => {});
  await postgres.died;
  return new Error(
    '内置的 PostgreSQL 意外结束，见 DATA_DIR 里的 postgres.log。The embedded PostgreSQL ended unexpectedly; see postgres.log in DATA_DIR.',
  );
}

function warnOfMissingKeys({ upstream }: Config, log: Log) {
  for (const model of Object.keys(upstream.chains)) {
    const setting = missingSettingOf(model, upstream.chains);
    if (setting !== null) log.warn({ model, setting }, 'a model cannot answer: its setting is missing');
  }
}

function warnOfUnusedPrices({ upstream }: Config, log: Log) {
  for (const model of upstream.unusedPrices)
    log.warn({ model }, 'PROVIDER_PRICES_FILE names a model that no route uses');
}

/** The program by itself: runs until it is asked to stop; its exit code says whether all went well. */
async function main(): Promise<number> {
  const asked = Promise.withResolvers<null>();
  let server: RunningServer | null = null;
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      asked.resolve(null);
      if (isStopping) void server?.stop();
    });
  }
  server = await run(process.env);
  const fault = await Promise.race([asked.promise, server.broken]);
  if (fault) {
    server.log.fatal({ err: fault }, 'the server cannot go on');
    setTimeout(() => void server?.stop(), FAULT_DEADLINE_MS).unref();
  }
  isStopping = true;
  await server.stop();
  return fault ? 1 : 0;
}

if (import.meta.main) {
  try {
    process.exit(await main());
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
