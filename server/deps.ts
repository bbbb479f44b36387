import { type SessionWatch, watchSessions } from '#server/accounts/sessions/watch-sessions.ts';
import { createProviders } from '#server/billing/create-providers.ts';
import { createModelList } from '#server/catalogue/read-models.ts';
import { createGeneration, type Generation } from '#server/chat/generation/generation.ts';
import { createUpstream } from '#server/chat/upstream/create-upstream.ts';
import { type BrowserRuns, createBrowserRuns } from '#server/computer/driving/browser-runs.ts';
import { countReading } from '#server/files/ingest/read-measured.ts';
import { createFileStorages } from '#server/files/storage/file-storage.ts';
import type { BaseDeps } from './base-deps.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { createBus } from './platform/database/bus.ts';
import { openDatabase } from './platform/database/database.ts';
import { createInstance } from './platform/database/instance.ts';
import { createLog, type Log } from './platform/log.ts';
import { createMailer, type Mailer } from './platform/mail/mailer.ts';
import { createMetrics } from './platform/metrics.ts';
import { createSseHub } from './platform/sse.ts';
import { NO_TRACING, type Tracing } from './platform/telemetry/tracing.ts';

/** What use cases are given: everything they reach outside their arguments. */
export interface Deps extends BaseDeps {
  /** What goes on in the name of a session, and ends with it. */
  sessions: SessionWatch;
  /** The payment providers that are configured. */
  providers: ReturnType<typeof createProviders>;
  /** The answers that this process generates. */
  generation: Generation;
  /** The browsers that models of this process drive. */
  computer: BrowserRuns;
  /** Null: no mail server is set. */
  mailer: Mailer | null;
}

export interface DepsOptions {
  /** Off unless given. */
  tracing?: Tracing;
  clock?: Clock;
  log?: Log;
}

/** Builds the dependencies over the database at `databaseUrl`, which must be migrated. Nothing is connected or started yet. */
export function createDeps(config: BaseDeps['config'], databaseUrl: string, options: DepsOptions = {}): Deps {
  const log = options.log ?? createLog(config.logLevel);
  const database = openDatabase(databaseUrl, {
    poolSize: config.databasePoolSize,
    directUrl: config.databaseDirectUrl,
    preparesStatements: config.databasePreparedStatements,
    onNotice: (notice) => log.debug({ notice: notice.message }, 'database notice'),
  });
  const metrics = createMetrics();
  const { tracing = NO_TRACING } = options;
  const instance = createInstance(database, log);
  const clock = options.clock ?? systemClock;
  const base = {
    config,
    database,
    clock,
    models: createModelList({ database, clock }),
    log,
    bus: createBus(database, instance, log),
    sse: createSseHub(),
  };
  const deps = {
    ...base,
    sessions: watchSessions(base),
    metrics,
    tracing,
    instance,
    instanceId: instance.id,
    upstream: createUpstream(config.upstream, log, {
      tracing,
      onAlert: ({ alert, upstreamModel }) => metrics.upstreamAlerts.inc({ alert, model: upstreamModel }),
      onCall: ({ upstreamModel, outcome }) => metrics.upstreamCalls.inc({ model: upstreamModel, outcome }),
      onConversion: (usage) => countReading(metrics, usage),
    }),
    storages: createFileStorages(config.files.s3),
    providers: createProviders(config, log, (provider) => metrics.paymentKeysRefused.inc({ provider })),
    mailer: config.mail && createMailer(config.mail),
  };
  const computer = createBrowserRuns(deps);
  return { ...deps, computer, generation: createGeneration({ ...deps, computer }) };
}
