import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP/HTTP has it in JSON, its attributes as an object. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  /** 2: an error. */
  status: { code: number; message?: string };
  attributes: Record<string, string | number>;
  events: string[];
}

interface OtlpValue {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
}

interface OtlpSpan extends Omit<CollectedSpan, 'attributes' | 'events'> {
  attributes: { key: string; value: OtlpValue }[];
  events: { name: string }[];
}

interface OtlpTraces {
  resourceSpans: {
    resource: { attributes: OtlpSpan['attributes'] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
}

/** A collector of OpenTelemetry: takes traces over OTLP/HTTP in JSON, and keeps every byte. */
export async function startCollector() {
  const requests: { path: string; headers: Record<string, unknown>; body: string }[] = [];
  const open = new Set<ServerResponse>();
  const accept = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{}');
  };
  let answer = accept;
  const server = createServer((request, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const traces = () => requests.map(({ body }) => JSON.parse(body) as OtlpTraces);

  return {
    url,
    /** What turns traces on for a server; they are sent at once. */
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '20' },
    requests,
    /** Everything that came, as it came. */
    text: () => requests.map(({ headers, body }) => JSON.stringify(headers) + body).join('\n'),
    spans: (): CollectedSpan[] =>
      traces()
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({
          ...span,
          attributes: readAttributes(span.attributes),
          events: span.events.map(({ name }) => name),
        })),
    resources: () =>
      traces().flatMap(({ resourceSpans }) =>
        resourceSpans.map(({ resource }) => readAttributes(resource.attributes)),
      ),
    /** How many requests are open. */
    open: () => open.size,
    /** How it answers from now on; null: as it should. */
    answer(next: ((response: ServerResponse) => void) | null) {
      answer = next ?? accept;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Collector = Awaited<ReturnType<typeof startCollector>>;

function readAttributes(list: OtlpSpan['attributes']): CollectedSpan['attributes'] {
  return Object.fromEntries(
    list.map(({ key, value }) => [
      key,
      value.stringValue ?? value.doubleValue ?? Number(value.intValue ?? Number.NaN),
    ]),
  );
}
