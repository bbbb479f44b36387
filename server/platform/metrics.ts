import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What the process counts for operators, in Prometheus' terms. */
export interface Metrics {
  registry: Registry;
  /** Seconds from a request's start to the end of its headers, by route pattern. */
  httpDuration: Histogram<'method' | 'route' | 'status'>;
  /** Failed calls of model providers, by the kind of the failure. */
  upstreamErrors: Counter<'kind' | 'model'>;
  /** What only an operator can mend at a model provider: key, balance, settings, models that are gone. */
  upstreamAlerts: Counter<'alert' | 'model'>;
  /** Payment webhooks whose signature was wrong. */
  webhooksRefused: Counter<'provider'>;
  /** Questions to a model for the title of a conversation: `written`, `failed`, or `limited` and not asked. */
  titles: Counter<'outcome'>;
  /** The same for the questions that may follow an answer. */
  followUps: Counter<'outcome'>;
  /** Web searches that a provider ran, for answers that were charged and for others. */
  searches: Counter<'charged'>;
  /** Runs of a browser by how they ended. */
  computerRuns: Counter<'outcome'>;
  /** Actions that models took in browsers. */
  computerSteps: Counter;
  /** Adds a gauge that is read at each scrape; `read` may fail, which leaves the last value. */
  addGauge(name: string, help: string, read: () => number | Promise<number>): void;
}

/** What the process itself uses: watched once, for watching it has no end. */
const ofProcess = new Registry();
let isWatched = false;

/** Makes an own registry, so that several apps can live in one process; what the process uses is in each of them. */
export function createMetrics(): Metrics {
  if (!isWatched)
    collectDefaultMetrics({ register: ofProcess, prefix: 'parley_', eventLoopMonitoringPrecision: 100 });
  isWatched = true;
  const registry = Registry.merge([ofProcess]);
  const registers = [registry];
  const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  return {
    registry,
    httpDuration: new Histogram({
      name: 'parley_http_request_duration_seconds',
      help: 'Seconds from a request to the headers of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    upstreamErrors: counter('parley_upstream_errors_total', 'Failed calls of model providers, by kind.', [
      'kind',
      'model',
    ]),
    upstreamAlerts: counter(
      'parley_upstream_alerts_total',
      'Failures of model providers that only an operator can mend.',
      ['alert', 'model'],
    ),
    webhooksRefused: counter('parley_webhooks_refused_total', 'Payment webhooks whose signature was wrong.', [
      'provider',
    ]),
    titles: counter(
      'parley_titles_total',
      'Questions to a model for the title of a conversation, by outcome.',
      ['outcome'],
    ),
    followUps: counter(
      'parley_follow_ups_total',
      'Questions to a model for what may be asked next, by outcome.',
      ['outcome'],
    ),
    searches: counter(
      'parley_searches_total',
      'Web searches that a provider ran, by whether the answer was charged.',
      ['charged'],
    ),
    computerRuns: counter('parley_computer_runs_total', 'Runs of a browser, by how they ended.', ['outcome']),
    computerSteps: counter('parley_computer_steps_total', 'Actions that models took in browsers.'),
    addGauge(name, help, read) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers,
        async collect() {
          gauge.set(await read());
        },
      });
    },
  };
}
