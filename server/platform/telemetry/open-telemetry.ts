import { setTimeout as wait } from 'node:timers/promises';
import {
  type Span as ApiSpan,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace as spans,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler as SdkSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { requestContext, runAbout, runApart } from './request-context.ts';
import type { Attributes, Sampler, Span, SpanStart, Tracing, TracingSettings } from './tracing.ts';

/** Spans that wait for the collector; more are dropped. About a kilobyte each. */
const MAX_QUEUE_SIZE = 2_048;
const MAX_BATCH_SIZE = 512;
/** Batches on their way at once; a full queue is four, and each takes about half a megabyte. */
const MAX_EXPORTS = 8;
const EXPORT_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 2_000;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;
/** What ends by a wish is no fault. */
const STOPPED = new Set(['aborted', 'AbortError']);

type ExportLog = Pick<Logger, 'info' | 'warn'>;

/** Measures by the SDK of OpenTelemetry, and sends over HTTP as OTLP in JSON. */
export function createTracing(settings: TracingSettings, log: ExportLog): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    headers: { ...settings.headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
    concurrencyLimit: MAX_EXPORTS,
  });
  const processor = new BatchSpanProcessor({
    exporter: reportFailures(exporter, log),
    maxQueueSize: MAX_QUEUE_SIZE,
    maxExportBatchSize: MAX_BATCH_SIZE,
    scheduledDelayMillis: settings.scheduleDelayMs,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': settings.serviceName })),
    sampler: createSampler(settings),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('parley');

  async function run<T>(
    { name, kind, attributes }: SpanStart,
    parent: Context,
    act: (span: Span) => Promise<T>,
  ): Promise<T> {
    const options = { kind: kind ? KINDS[kind] : SpanKind.INTERNAL, attributes: { ...attributes } };
    const span = new OpenSpan(tracer.startSpan(name, options, parent));
    try {
      return await act(span);
    } catch (error) {
      span.fail(error);
      throw error;
    } finally {
      // What sends it serves many requests.
      runApart(() => span.inner.end());
    }
  }

  return {
    trace(start, act) {
      const given = settings.readsTraceparent ? start.traceparent?.() : undefined;
      const remote = given === undefined ? null : parseTraceParent(given);
      const context = remote
        ? spans.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true })
        : ROOT_CONTEXT;
      return run(start, context, (span) => runAbout({ span }, () => act(span)));
    },
    measure(start, act) {
      const root = requestContext()?.span;
      const parent = root instanceof OpenSpan ? spans.setSpan(ROOT_CONTEXT, root.inner) : ROOT_CONTEXT;
      return run(start, parent, act);
    },
    async stop() {
      const timer = new AbortController();
      const tooLate = wait(STOP_TIMEOUT_MS, undefined, { signal: timer.signal }).catch(() => {});
      // It rejects where the last spans could not be sent, which is logged.
      await Promise.race([provider.shutdown().catch(() => {}), tooLate]);
      timer.abort();
    },
  };
}

class OpenSpan implements Span {
  readonly inner: ApiSpan;

  constructor(inner: ApiSpan) {
    this.inner = inner;
  }

  get traceId() {
    return this.inner.spanContext().traceId;
  }

  rename(name: string) {
    this.inner.updateName(name);
  }

  set(attributes: Attributes) {
    this.inner.setAttributes(attributes);
  }

  event(name: string) {
    this.inner.addEvent(name);
  }

  fail(error: unknown) {
    const kind = kindOf(error);
    if (STOPPED.has(kind)) return;
    this.inner.setAttribute('error.type', kind);
    this.inner.setStatus({ code: SpanStatusCode.ERROR });
  }
}

/** The kind or code of an error: a name of a program, never words that it quotes. */
function kindOf(error: unknown): string {
  if (typeof error === 'number') return String(error);
  if (!(error instanceof Error)) return 'unknown';
  const { kind, code } = error as { kind?: unknown; code?: unknown };
  const name = [kind, code, error.name].find((one) => typeof one === 'string' && /^\w{1,64}$/.test(one));
  return typeof name === 'string' ? name : 'Error';
}

function createSampler({ sampler, followsParent, ratio }: TracingSettings): SdkSampler {
  const samplers: Record<Sampler, () => SdkSampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = samplers[sampler]();
  return followsParent ? new ParentBasedSampler({ root }) : root;
}

/** Logs when exports begin to fail and when they succeed again; what a collector answers is not quoted. */
function reportFailures(exporter: SpanExporter, log: ExportLog): SpanExporter {
  let isFailing = false;
  return {
    export(batch, done) {
      exporter.export(batch, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS;
        if (hasFailed && !isFailing)
          log.warn({ reason: reasonOf(result.error) }, 'traces cannot be exported and are dropped');
        if (!hasFailed && isFailing) log.info('traces are exported again');
        isFailing = hasFailed;
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}

/** The HTTP status of the collector's answer, or what went wrong on the way. */
function reasonOf(error: Error | undefined): string {
  return error && 'code' in error && typeof error.code === 'number' ? String(error.code) : kindOf(error);
}
