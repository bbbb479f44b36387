import { expect, it } from 'vitest';
import { Environment } from './platform/environment.ts';
import { readTracingSettings } from './read-tracing-settings.ts';

function read(values: Record<string, string>) {
  const env = new Environment(values);
  const settings = readTracingSettings(env);
  env.refuseProblems();
  return settings;
}

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example:4318/' };

it('traces are off without an endpoint, whatever else is set', () => {
  expect(read({ OTEL_TRACES_SAMPLER: 'always_on', OTEL_SERVICE_NAME: 'eu' })).toBeNull();
});

it('traces have an endpoint, headers, a name and a sampler', () => {
  expect(read(ENDPOINT)).toEqual({
    endpoint: 'https://otel.example:4318',
    headers: {},
    serviceName: 'parley',
    sampler: 'always_on',
    followsParent: true,
    ratio: 1,
    readsTraceparent: false,
    scheduleDelayMs: 5_000,
  });
  const env = {
    ...ENDPOINT,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a=b, x-team=eu',
    OTEL_SERVICE_NAME: 'parley-eu',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_PROPAGATORS: 'tracecontext',
    OTEL_BSP_SCHEDULE_DELAY: '1000',
  };
  expect(read(env)).toMatchObject({
    headers: { authorization: 'Bearer a=b', 'x-team': 'eu' },
    serviceName: 'parley-eu',
    sampler: 'traceidratio',
    followsParent: false,
    ratio: 0.25,
    readsTraceparent: true,
    scheduleDelayMs: 1_000,
  });
});

it.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://otel.example:4317'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=hunter2%0d%0a'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=hunter2%zz'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['OTEL_TRACES_SAMPLER_ARG', '-1'],
  ['OTEL_PROPAGATORS', 'tracecontext,baggage'],
])('%s may not be %s', (name, value) => {
  const refused = () => read({ ...ENDPOINT, [name]: value });
  expect(refused).toThrow(name);
  expect(refused).not.toThrow('hunter2');
});
