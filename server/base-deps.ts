import type { Upstream } from '#server/chat/upstream/upstream.ts';
import type { Config } from './config.ts';
import type { Bus } from './platform/bus.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/database.ts';
import type { Instance } from './platform/instance.ts';
import type { Log } from './platform/log.ts';
import type { Metrics } from './platform/metrics.ts';
import type { SseHub } from './platform/sse.ts';

/** What a process has before any part of it with a life of its own: these parts are made of it. */
export interface BaseDeps {
  config: Config;
  database: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** This start of the process; `instanceId` is its id. */
  instance: Instance;
  instanceId: string;
  bus: Bus;
  sse: SseHub;
  upstream: Upstream;
}
