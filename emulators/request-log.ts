import type { IncomingMessage, ServerResponse } from 'node:http';
import { withoutLongData } from './files/seen-file.ts';
import { parseObject, readText } from './http-server.ts';

const KEPT = 500;
/** The longest body of which the text is kept, in UTF-16 code units. */
const KEPT_TEXT = 100_000;

/** One received request, as `GET /__control/requests` lists it. Times are epoch milliseconds. */
export interface RequestRecord {
  id: number;
  at: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The parsed JSON body, or null. */
  body: unknown;
  /** The body as it came; null for none, and for a long one. */
  text: string | null;
  status: number | null;
  /** When our answer ended or broke off. */
  endedAt: number | null;
  /** Whether the scenario itself cut the connection. */
  brokenOff: boolean;
  /** Whether the client disconnected before our answer was complete. */
  aborted: boolean;
  abortedAt: number | null;
  /** The scenario that answered it. */
  scenario: string | null;
}

export interface RequestLog {
  /** Writes a request down and watches its answer to the end. */
  open(request: IncomingMessage, response: ServerResponse): RequestRecord;
  list(): RequestRecord[];
  clear(): void;
}

const SECRET = /^(authorization|x-goog-api-key|cookie)$/;

function readHeaders(request: IncomingMessage): Record<string, string> {
  const pairs = Object.entries(request.headers).map(([name, value]) => [
    name,
    SECRET.test(name) ? '…' : String(value),
  ]);
  return Object.fromEntries(pairs);
}

/** The JSON object of a request, which is written down. Throws on anything else. */
export async function readBody(
  request: IncomingMessage,
  record: RequestRecord,
): Promise<Record<string, unknown>> {
  const text = await readText(request);
  const body = parseObject(text);
  record.body = withoutLongData(body);
  record.text = text.length <= KEPT_TEXT ? text : null;
  return body;
}

/** A log of the last 500 requests. */
export function createRequestLog(): RequestLog {
  let records: RequestRecord[] = [];
  let nextId = 1;

  return {
    open(request, response) {
      const record: RequestRecord = {
        id: nextId,
        at: Date.now(),
        method: request.method ?? '',
        path: (request.url ?? '').replace(/([?&]key=)[^&]*/, '$1…'),
        headers: readHeaders(request),
        body: null,
        text: null,
        status: null,
        endedAt: null,
        brokenOff: false,
        aborted: false,
        abortedAt: null,
        scenario: null,
      };
      nextId += 1;
      records.push(record);
      if (records.length > KEPT * 2) records = records.slice(-KEPT);
      response.once('close', () => {
        record.status = response.headersSent ? response.statusCode : null;
        record.endedAt = Date.now();
        record.aborted = !response.writableEnded && !record.brokenOff;
        record.abortedAt = record.aborted ? record.endedAt : null;
      });
      return record;
    },
    list: () => records.slice(-KEPT),
    clear() {
      records = [];
    },
  };
}
