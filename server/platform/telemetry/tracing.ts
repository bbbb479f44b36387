import type { Logger } from 'pino';

/** Names and numbers of our own making. Nothing that a user, a model or a provider wrote may be in one. */
export type Attributes = Record<string, string | number | undefined>;

/** One measured part of the work. */
export interface Span {
  /** 32 hexadecimal digits; empty where traces are off. */
  readonly traceId: string;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Something happened just now. */
  event(name: string): void;
  /** Marks it as failed, by the kind of the error or an HTTP status; its words are not kept. */
  fail(error: unknown): void;
}

export interface SpanStart {
  name: string;
  /** `server` answers a caller, `client` waits for another program; by default it is neither. */
  kind?: 'server' | 'client';
  attributes?: Attributes;
}

export interface TraceStart extends SpanStart {
  /** The `traceparent` that came with it (W3C Trace Context); read only where the operator says who writes it. */
  traceparent?: () => string | undefined;
}

/** Measures the work as traces of OpenTelemetry (decision 99); where they are off it only does the work. */
export interface Tracing {
  /** Runs `act` as a trace of its own. What it begins belongs to that trace, also what goes on afterwards. Rejects as `act` does. */
  trace<T>(start: TraceStart, act: (span: Span) => Promise<T>): Promise<T>;
  /** Runs `act` as a part of the trace under way, or as a trace of its own where there is none. Rejects as `act` does. */
  measure<T>(start: SpanStart, act: (span: Span) => Promise<T>): Promise<T>;
  /** Sends what waits, for two seconds at most, and then nothing more. Never rejects. */
  stop(): Promise<void>;
}

export type Sampler = 'always_on' | 'always_off' | 'traceidratio';

export interface TracingSettings {
  /** The base address of the collector, without a slash at its end. */
  endpoint: string;
  /** What each request to the collector has besides; may hold a key. */
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  sampler: Sampler;
  /** Whether a caller whose `traceparent` is read decides instead of the sampler. */
  followsParent: boolean;
  /** The share of traces that `traceidratio` keeps, 0 to 1. */
  ratio: number;
  /** Whether `traceparent` of requests is read. */
  readsTraceparent: boolean;
  /** How long spans wait for more to be sent with, in milliseconds. */
  scheduleDelayMs: number;
}

const NO_SPAN: Span = { traceId: '', rename() {}, set() {}, event() {}, fail() {} };

/** Traces are off. */
export const NO_TRACING: Tracing = {
  trace: (_, act) => act(NO_SPAN),
  measure: (_, act) => act(NO_SPAN),
  stop: async () => {},
};

/** Begins to export traces; without settings they are off, and nothing of OpenTelemetry is loaded. */
export async function startTracing(
  settings: TracingSettings | null,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<Tracing> {
  if (settings === null) return NO_TRACING;
  const { createTracing } = await import('./open-telemetry.ts');
  return createTracing(settings, log);
}
