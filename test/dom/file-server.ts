import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MEGABYTE, TUS_VERSION } from '#contract/limits.ts';
import type { FileInfo, FilePage, FileUsage } from '#contract/message/files.ts';
import type { Quote } from '#contract/message/quotes.ts';

/** A request as it came. */
export interface Asked {
  method: string;
  path: string;
  /** From which byte on a piece was sent; null for anything else. */
  offset: number | null;
  body: Buffer;
}

/** A file that was begun. */
export interface Begun {
  info: FileInfo;
  received: number;
  /** What came with its creation. */
  metadata: Record<string, string>;
}

/** `cut`: the connection ends without an answer, and half of a piece is kept, or a file is begun; else an error of ours. */
type Fault = 'cut' | { status: number; code: string; params?: Record<string, string | number> };

const FILES_A_PAGE = 20;

const SUFFIXES: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', pdf: 'application/pdf' };

/**
 * The file routes of our server as a page sees them, over HTTP and without anything behind them, so that a test says what fails when:
 * `fault` is asked about each request before it is answered, and may wait. What the routes themselves do is tested on the server.
 */
export class FileServer {
  readonly asked: Asked[] = [];
  readonly files = new Map<string, Begun>();
  readonly usage: FileUsage = {
    bytes: 0,
    quota: 100 * MEGABYTE,
    fileLimit: 20 * MEGABYTE,
    perMessage: 10,
  };
  fault: (asked: Asked) => Fault | undefined | Promise<Fault | undefined> = () => undefined;
  /** The price of a message that is asked for. */
  quote: (wanted: { model: string; files?: string[] }) => Quote | Fault = () => ({ max: 15, lines: [] });
  private readonly server = createServer((request, response) => void this.answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Keeps a file as if it had been uploaded before. */
  put(info: Partial<FileInfo> & { id: string; name: string }): void {
    const known = infoOf(info.id, info.name, info.bytes ?? 1);
    this.files.set(info.id, { info: { ...known, state: 'ready', ...info }, received: 1, metadata: {} });
  }

  /** The requests of a method, in their order. */
  of(method: string): Asked[] {
    return this.asked.filter((one) => one.method === method);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const offset = request.headers['upload-offset'];
    const asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      offset: offset === undefined ? null : Number(offset),
      body: Buffer.concat(chunks),
    };
    this.asked.push(asked);
    const fault = await this.fault(asked);
    const file = this.files.get(asked.path.split(/[/?]/)[3] ?? '');
    if (fault === 'cut') {
      if (asked.method === 'PATCH' && file) file.received += Math.floor(asked.body.length / 2);
      if (asked.method === 'POST') this.begin(request);
      request.socket.destroy();
    } else if (fault) refuse(response, fault);
    else this.route(asked, request, response, file);
  }

  private route(
    { method, path, offset, body }: Asked,
    request: IncomingMessage,
    response: ServerResponse,
    file: Begun | undefined,
  ) {
    if (path === '/api/files/usage') return send(response, this.usage);
    if (path === '/api/quotes') {
      const quote = this.quote(JSON.parse(body.toString()));
      return typeof quote === 'object' && 'max' in quote ? send(response, quote) : refuse(response, quote);
    }
    if (path.startsWith('/api/conversations/')) return send(response, this.pageAt(path));
    if (method === 'POST') {
      const begun = this.begin(request);
      const location = `/api/files/${begun.info.id}`;
      return response.writeHead(201, { location, ...stateOf(begun) }).end();
    }
    if (!file) return refuse(response, { status: 404, code: 'not_found' });
    // What is whole takes no piece, however much shorter than it was sent it is stored.
    if (method === 'PATCH' && (file.info.state !== 'uploading' || offset !== file.received))
      return refuse(response, { status: 409, code: 'upload_conflict' });
    if (method === 'PATCH') file.received += body.length;
    if (method === 'DELETE') this.files.delete(file.info.id);
    if (method === 'PUT') file.info.everyTurn = JSON.parse(body.toString()).everyTurn;
    if (method === 'PATCH' || method === 'DELETE') return response.writeHead(204, stateOf(file)).end();
    if (method === 'HEAD')
      return response.writeHead(200, { ...stateOf(file), 'upload-length': file.info.bytes }).end();
    const isHere = file.received >= file.info.bytes && file.info.state === 'uploading';
    if (isHere) file.info.state = 'ready';
    send(response, file.info);
  }

  private pageAt(path: string): FilePage {
    const all = [...this.files.values()].map(({ info }) => info);
    const end = Number(new URL(path, 'http://page').searchParams.get('cursor') ?? 0) + FILES_A_PAGE;
    return { files: all.slice(end - FILES_A_PAGE, end), nextCursor: end < all.length ? String(end) : null };
  }

  private begin(request: IncomingMessage): Begun {
    const pairs = String(request.headers['upload-metadata']).split(',');
    const { id = crypto.randomUUID(), ...metadata } = Object.fromEntries<string>(
      pairs.map((pair) => {
        const [key = '', value = ''] = pair.split(' ');
        return [key, Buffer.from(value, 'base64').toString()];
      }),
    );
    const info = infoOf(id, metadata.filename ?? '', Number(request.headers['upload-length']));
    if (metadata.keep_place === 'true') info.keepsPlace = true;
    const begun = this.files.get(id) ?? { info, received: 0, metadata };
    this.files.set(id, begun);
    return begun;
  }
}

function infoOf(id: string, name: string, bytes: number): FileInfo {
  const type = SUFFIXES[name.split('.').at(-1) ?? ''] ?? 'text/plain';
  const isPicture = type.startsWith('image/');
  return {
    ...{ id, name, type, bytes, sha256: null, state: 'uploading', pages: null, tokens: 1_120 },
    ...{ width: null, height: null, hasText: !isPicture, hasThumbnail: isPicture, everyTurn: true },
    ...{ keepsPlace: false, error: null, createdAt: 0 },
  };
}

function stateOf({ received }: Begun): Record<string, string> {
  return { 'upload-offset': String(received), 'tus-resumable': TUS_VERSION };
}

function send(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function refuse(response: ServerResponse, fault: Fault) {
  if (fault === 'cut') return response.destroy();
  const { status, code, params = {} } = fault;
  const error = { code, message: code, params };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}
