import { z } from 'zod';
import type { Environment } from './platform/environment.ts';
import { oneOf, readUrl, readWhole } from './platform/read-setting.ts';
import type { Sampler, TracingSettings } from './platform/telemetry/tracing.ts';

const SAMPLERS: readonly Sampler[] = ['always_on', 'always_off', 'traceidratio'];
const PARENT = 'parentbased_';
const SAMPLER_NAMES = SAMPLERS.flatMap((name) => [name, `${PARENT}${name}`]);
const PROPAGATORS = ['tracecontext', 'none'];

/**
 * Reads where traces go, by the names of OpenTelemetry's specification; problems are reported to `env`. Null without an endpoint: no
 * traces are made.
 */
export function readTracingSettings(env: Environment): TracingSettings | null {
  const hasEndpoint = env.text('OTEL_EXPORTER_OTLP_ENDPOINT') !== null;
  const endpoint = readUrl(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', 'http://localhost:4318');
  const headers = readHeaders(env);
  const sampler = env.read(
    'OTEL_TRACES_SAMPLER',
    z.enum(SAMPLER_NAMES),
    oneOf(SAMPLER_NAMES),
    'parentbased_always_on',
  );
  const settings = {
    endpoint,
    headers,
    serviceName: env.text('OTEL_SERVICE_NAME') ?? 'parley',
    sampler: sampler.replace(PARENT, '') as Sampler,
    followsParent: sampler.startsWith(PARENT),
    ratio: readRatio(env),
    readsTraceparent:
      env.read('OTEL_PROPAGATORS', z.enum(PROPAGATORS), oneOf(PROPAGATORS), 'none') === 'tracecontext',
    scheduleDelayMs: readWhole(env, 'OTEL_BSP_SCHEDULE_DELAY', 1, 600_000, 5_000),
  };
  return hasEndpoint ? settings : null;
}

function readRatio(env: Environment): number {
  const schema = z
    .string()
    .regex(/^\d(\.\d{1,10})?$/)
    .transform(Number)
    .pipe(z.number().min(0).max(1));
  const expected = { zh: '应为 0 到 1 的数，例如 0.1', en: 'give a number from 0 to 1, such as 0.1' };
  return env.read('OTEL_TRACES_SAMPLER_ARG', schema, expected, 1);
}

const HEADER = /^\s*[\w!#$%&'*+.^`|~-]+=[\x21-\x7e]+\s*$/;

/** `name=value` pairs with commas between them, percent-encoded as W3C Baggage is. */
function readHeaders(env: Environment): Record<string, string> {
  const schema = z.string().refine((text) => text.split(',').every(isHeader));
  const given = env.secret('OTEL_EXPORTER_OTLP_HEADERS', schema, {
    zh: '应为用英文逗号分开的“名称=值”，例如 authorization=Bearer%20令牌',
    en: 'give names and values with commas between them, such as authorization=Bearer%20token',
  });
  const pairs = given?.split(',').filter(isHeader) ?? [];
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.trim().split('=');
      return [name, decodeURIComponent(value.join('='))];
    }),
  );
}

function isHeader(pair: string): boolean {
  if (!HEADER.test(pair)) return false;
  try {
    return /^[\x20-\x7e]*$/.test(decodeURIComponent(pair));
  } catch {
    return false;
  }
}
