import type { ModelList } from '#server/catalogue/read-models.ts';
import type { BrowserDriver } from '#server/chat/generation/run.ts';
import type { Upstream } from '#server/chat/upstream/transport/upstream.ts';
import type { FileStorages } from '#server/files/storage/file-storage.ts';
import type { Config } from './config.ts';
import type { Clock } from './platform/clock.ts';
import type { Bus } from './platform/database/bus.ts';
import type { Database } from './platform/database/database.ts';
import type { Instance } from './platform/database/instance.ts';
import type { Log } from './platform/log.ts';
import type { Metrics } from './platform/metrics.ts';
import type { SseHub } from './platform/sse.ts';
import type { Tracing } from './platform/telemetry/tracing.ts';

/** The dependencies from which the other parts of a process, such as its answers, are made. */
export interface BaseDeps {
  config: Config;
  database: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  tracing: Tracing;
  /** This start of the process; `instanceId` is its id. */
  instance: Instance;
  instanceId: string;
  bus: Bus;
  sse: SseHub;
  /** The models with their prices. */
  models: ModelList;
  upstream: Upstream;
  /** Browsers that models drive. */
  computer: BrowserDriver;
  /** Where the contents of files are kept. */
  storages: FileStorages;
}
