import type { IncomingMessage, ServerResponse } from 'node:http';

const KEPT = 500;

/** One received request, as `GET /__control/requests` lists it. Times are epoch milliseconds. */
export interface RequestRecord {
  id: number;
  at: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The parsed JSON body, or null. */
  body: unknown;
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
