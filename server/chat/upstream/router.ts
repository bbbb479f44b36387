import type { UpstreamRoutes } from '#server/catalogue/model-routes.ts';
import type { Log } from '#server/platform/log.ts';
import type { Upstream } from './upstream.ts';

export interface UpstreamTimeouts {
  connectMs: number;
  /** From the call to the first token, retries and further routes of the chain included. */
  firstTokenMs: number;
  idleMs: number;
  totalMs: number;
}

export const DEFAULT_TIMEOUTS: UpstreamTimeouts = {
  connectMs: 10_000,
  firstTokenMs: 30_000,
  idleMs: 30_000,
  totalMs: 300_000,
};

export interface UpstreamConfig {
  routes: UpstreamRoutes;
  /** `v1beta` unless the operator says otherwise. */
  geminiApiVersion: string;
  timeouts: UpstreamTimeouts;
}

/** What only an operator can mend; `balance`: the provider's prepaid money is used up. */
export interface UpstreamAlert {
  alert: 'upstream_auth' | 'upstream_balance';
  upstreamModel: string;
  status: number | null;
}

export interface UpstreamHooks {
  onAlert?: (alert: UpstreamAlert) => void;
}

/** Opens the model client over the configured chains. Connections are made when first used. */
export declare function createUpstream(config: UpstreamConfig, log: Log, hooks?: UpstreamHooks): Upstream;
