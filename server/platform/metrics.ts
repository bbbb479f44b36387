import { setTimeout as wait } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What the process counts for operators, in Prometheus' terms. */
export interface Metrics {
  registry: Registry;
  /** Seconds from a request's start to the end of its headers, by route pattern. */
  httpDuration: Histogram<'method' | 'route' | 'status'>;
  /** Seconds from the beginning of an answer to its first text. */
  firstText: Histogram<'model'>;
  /** Answers that ended, by model and outcome: `completed`, `stopped`, or the error code that the user got. */
  answers: Counter<'model' | 'outcome'>;
  /** Calls of model providers, tried again or not, by upstream model and outcome: `ok`, or the kind of the failure. */
  upstreamCalls: Counter<'model' | 'outcome'>;
  /** Answers that failed at a model provider, by the kind of the failure. */
  upstreamErrors: Counter<'kind' | 'model'>;
  /** What only an operator can mend at a model provider: key, balance, settings, models that are gone. */
  upstreamAlerts: Counter<'alert' | 'model'>;
  /** Payment webhooks whose signature was wrong. */
  webhooksRefused: Counter<'provider'>;
  /** Calls of payment providers that were refused because of our key. */
  paymentKeysRefused: Counter<'provider'>;
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
  /** Mails: `sent`, `unwanted`, `postponed` after a refusal of the mail server, or `failed` for good. */
  mails: Counter<'outcome'>;
  /** Processor seconds of each process that read a file, however it ended, by what was read: `picture` or `document`. */
  fileReadingCpu: Histogram<'kind'>;
  /** The same for its resident memory at its highest, in bytes. */
  fileReadingMemory: Histogram<'kind'>;
  /** Seconds that one small statement took through the pool of connections, the wait for one included. */
  databaseWait: Histogram;
  /**
   * Adds a gauge that is read at each scrape. A read that fails, or takes longer than two seconds, leaves the last value and counts
   * in `parley_gauge_failures_total`.
   */
  addGauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** The same with a value for each `label`; one that is not in the answer any more goes. */
  addGauges(
    name: string,
    help: string,
    label: string,
    read: () => Promise<ReadonlyMap<string, number>>,
  ): void;
}

/** What the process itself uses: watched once, for watching it has no end. */
const ofProcess = new Registry();
let isWatched = false;
const MAX_READ_MS = 2_000;

/**
 * Makes an own registry, so that several apps can live in one process; what the process uses is in each of them. `maxReadMs` is how
 * long a gauge may be read.
 */
export function createMetrics(maxReadMs = MAX_READ_MS): Metrics {
  if (!isWatched)
    collectDefaultMetrics({ register: ofProcess, prefix: 'parley_', eventLoopMonitoringPrecision: 100 });
  isWatched = true;
  const registry = Registry.merge([ofProcess]);
  return {
    registry,
    ...createCounters(registry),
    ...createHistograms(registry),
    ...createGauges(registry, maxReadMs),
  };
}

const MAIL_OUTCOMES = ['sent', 'unwanted', 'postponed', 'failed'];

function createCounters(registry: Registry) {
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const mails = counter('parley_mails_total', 'Mails, by what came of a try to send them.', 'outcome');
  for (const outcome of MAIL_OUTCOMES) mails.inc({ outcome }, 0);
  return {
    answers: counter('parley_answers_total', 'Answers that ended, by outcome.', 'model', 'outcome'),
    upstreamCalls: counter(
      'parley_upstream_calls_total',
      'Calls of model providers, each try by itself, by outcome.',
      'model',
      'outcome',
    ),
    upstreamErrors: counter(
      'parley_upstream_errors_total',
      'Answers that failed at a model provider, by kind.',
      'kind',
      'model',
    ),
    upstreamAlerts: counter(
      'parley_upstream_alerts_total',
      'Failures of model providers that only an operator can mend.',
      'alert',
      'model',
    ),
    webhooksRefused: counter(
      'parley_webhooks_refused_total',
      'Payment webhooks whose signature was wrong.',
      'provider',
    ),
    paymentKeysRefused: counter(
      'parley_payment_keys_refused_total',
      'Calls of payment providers that were refused because of our key.',
      'provider',
    ),
    titles: counter(
      'parley_titles_total',
      'Questions to a model for the title of a conversation, by outcome.',
      'outcome',
    ),
    followUps: counter(
      'parley_follow_ups_total',
      'Questions to a model for what may be asked next, by outcome.',
      'outcome',
    ),
    searches: counter(
      'parley_searches_total',
      'Web searches that a provider ran, by whether the answer was charged.',
      'charged',
    ),
    computerRuns: counter('parley_computer_runs_total', 'Runs of a browser, by how they ended.', 'outcome'),
    computerSteps: counter('parley_computer_steps_total', 'Actions that models took in browsers.'),
    mails,
  };
}

function createHistograms(registry: Registry) {
  const registers = [registry];
  return {
    httpDuration: new Histogram({
      name: 'parley_http_request_duration_seconds',
      help: 'Seconds from a request to the headers of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    firstText: new Histogram({
      name: 'parley_first_text_seconds',
      help: 'Seconds from the beginning of an answer to its first text.',
      labelNames: ['model'],
      buckets: [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 8, 13, 20, 30, 60, 120],
      registers,
    }),
    fileReadingCpu: new Histogram({
      name: 'parley_file_reading_cpu_seconds',
      help: 'Processor seconds of each process that read a file.',
      labelNames: ['kind'],
      buckets: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 40],
      registers,
    }),
    fileReadingMemory: new Histogram({
      name: 'parley_file_reading_memory_bytes',
      help: 'Resident memory at its highest of each process that read a file.',
      labelNames: ['kind'],
      buckets: [80, 100, 150, 200, 250, 400, 600, 768].map((megabytes) => megabytes * 1_048_576),
      registers,
    }),
    databaseWait: new Histogram({
      name: 'parley_database_wait_seconds',
      help: 'Seconds that a small statement, once a second, took through the pool, the wait for a connection included.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
      registers,
    }),
  };
}

function createGauges(registry: Registry, maxReadMs: number): Pick<Metrics, 'addGauge' | 'addGauges'> {
  const registers = [registry];
  const failures = new Counter({
    name: 'parley_gauge_failures_total',
    help: 'Gauges that could not be read in time for a scrape, and kept their last value.',
    labelNames: ['gauge'],
    registers,
  });

  /** What was read; null where that failed. */
  function readInTime<T>(name: string, read: () => T | Promise<T>): () => Promise<{ value: T } | null> {
    const share = shareRead(async () => read());
    return async () => {
      const timer = new AbortController();
      try {
        const tooLate = wait(maxReadMs, null, { signal: timer.signal, ref: false });
        const result = await Promise.race([share().then((value) => ({ value })), tooLate.catch(() => null)]);
        if (!result) failures.inc({ gauge: name });
        return result;
      } catch {
        failures.inc({ gauge: name });
        return null;
      } finally {
        timer.abort();
      }
    };
  }

  return {
    addGauge(name, help, read) {
      const readOnce = readInTime(name, read);
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers,
        async collect() {
          const result = await readOnce();
          if (result) gauge.set(result.value);
        },
      });
    },
    addGauges(name, help, label, read) {
      const readOnce = readInTime(name, read);
      const gauge: Gauge<string> = new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          const result = await readOnce();
          if (!result) return;
          gauge.reset();
          for (const [value, count] of result.value) gauge.set({ [label]: value }, count);
        },
      });
    },
  };
}

/** Has callers that come while a read is under way wait for that one: the gauges of one statement ask it once a scrape. */
export function shareRead<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null;
  return () => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
}
