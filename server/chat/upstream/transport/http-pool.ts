import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { CallDeadline } from './call-deadline.ts';
import { createReadThrottle, type ReadThrottle } from './read-throttle.ts';
import { UpstreamError } from './upstream-error.ts';

/** Where and how to post. Built once for each call. */
export interface HttpPost {
  url: URL;
  headers: Record<string, string>;
  /** The body as JSON. Deleted as soon as it is being written: with files in it, it is long, and the answer may take minutes. */
  body: string;
  /** Called, once at least, when the body is written or will not be. */
  onSent?: (() => void) | undefined;
}

/** An answer that is not 2xx; `body` is cut at 64 KiB. */
export interface Refusal {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** Takes the next bytes of an answer. `more`: the rest of the body is wanted; `done`: it is not. */
export type ChunkSink = (chunk: Buffer) => 'more' | 'done';

/** Keep-alive connections to the providers. */
export interface HttpPool {
  /**
   * Posts, and hands the body of a 2xx answer to `onChunk` as it comes. Resolves with null when the body is complete, with the
   * refusal on any other status; rejects with `connect`, `truncated`, `timeout`, `aborted`, or what `onChunk` throws.
   */
  post(post: HttpPost, deadline: CallDeadline, onChunk: ChunkSink): Promise<Refusal | null>;
  close(): void;
}

const MAX_SOCKETS = 4_096;
const MAX_IDLE_SOCKETS = 1_024;
const REFUSAL_BYTES = 64 * 1024;
/** How long a provider may keep its connection open after the end of the answer. */
const DRAIN_MS = 5_000;

function connectError(cause: Error, reused: boolean): UpstreamError {
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : 'unknown';
  return new UpstreamError('connect', `no connection (${code}${reused ? ', idle connection' : ''})`, {
    vendorCode: code,
    cause,
  });
}

function watchConnecting(request: ClientRequest, deadline: CallDeadline, secure: boolean) {
  request.once('socket', (socket) => {
    if (socket.connecting) {
      socket.once(secure ? 'secureConnect' : 'connect', () => deadline.enter('first_token'));
    } else deadline.enter('first_token');
  });
}

function readRefusal(response: IncomingMessage, done: (refusal: Refusal) => void) {
  const pieces: Buffer[] = [];
  let size = 0;
  response.on('data', (piece: Buffer) => {
    if (size < REFUSAL_BYTES) pieces.push(piece);
    size += piece.length;
    if (size > REFUSAL_BYTES) response.destroy();
  });
  response.on('close', () => {
    const body = Buffer.concat(pieces).toString('utf8', 0, REFUSAL_BYTES);
    done({ status: response.statusCode ?? 0, headers: response.headers, body });
  });
  response.on('error', () => {});
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

interface Posting {
  open(): ClientRequest;
  post: HttpPost;
  deadline: CallDeadline;
  onChunk: ChunkSink;
  throttle: ReadThrottle;
  resolve(refusal: Refusal | null): void;
  reject(error: unknown): void;
}

/** One post from its opening to the end of its body; settles once. */
class Exchange {
  private readonly posting: Posting;
  private readonly request: ClientRequest;
  private settled = false;
  private answered = false;

  constructor(posting: Posting) {
    this.posting = posting;
    posting.deadline.attach((error) => this.stop(error));
    posting.deadline.enter('connect');
    this.request = posting.open();
    this.request.on('error', (cause) => this.break(cause));
    this.request.once('response', (response) => this.read(response));
    this.request.once('finish', () => posting.post.onSent?.());
    this.request.end(posting.post.body);
    posting.post.body = '';
  }

  private settle(finish: () => void) {
    if (this.settled) return;
    this.settled = true;
    this.posting.deadline.detach();
    this.posting.post.onSent?.();
    finish();
  }

  private succeed() {
    this.settle(() => this.posting.resolve(null));
  }

  private fail(error: unknown) {
    this.settle(() => this.posting.reject(error));
    this.request.destroy();
  }

  private stop(error: UpstreamError | null) {
    if (error) return this.fail(error);
    this.succeed();
    this.request.destroy();
  }

  private break(cause: Error) {
    if (this.settled) return;
    const truncated = new UpstreamError('truncated', 'the connection broke inside the answer', { cause });
    this.fail(this.answered ? truncated : connectError(cause, this.request.reusedSocket));
  }

  private read(response: IncomingMessage) {
    this.answered = true;
    if (!isSuccess(response)) {
      readRefusal(response, (refusal) => this.settle(() => this.posting.resolve(refusal)));
      return;
    }
    const { socket } = response;
    const { throttle } = this.posting;
    response.on('data', (chunk: Buffer) => {
      this.take(chunk);
      throttle.pause(socket);
    });
    response.on('end', () => {
      throttle.resume(socket);
      this.succeed();
    });
    response.on('error', (cause) => this.break(cause));
    response.on('close', () => {
      if (!this.settled) this.break(new Error('closed early'));
    });
  }

  private take(chunk: Buffer) {
    if (this.settled) return;
    try {
      if (this.posting.onChunk(chunk) !== 'done') return;
      this.succeed();
      const drain = setTimeout(() => this.request.destroy(), DRAIN_MS).unref();
      this.request.once('close', () => clearTimeout(drain));
    } catch (error) {
      this.fail(error);
    }
  }
}

/** The agent, with connections that can be paused. */
function throttled<T extends http.Agent>(agent: T, throttle: ReadThrottle): T {
  const connect = agent.createConnection.bind(agent);
  // Both agents of Node open a socket; the type allows any stream, for agents of others.
  agent.createConnection = (options, done) =>
    throttle.open((more) => connect({ ...options, ...more }, done) as Socket);
  return agent;
}

/** Opens a pool that is large enough for thousands of answers at once. */
export function createHttpPool(): HttpPool {
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: MAX_IDLE_SOCKETS };
  let running = 0;
  const throttle = createReadThrottle(() => running);
  const plain = throttled(new http.Agent(options), throttle);
  const secure = throttled(new https.Agent(options), throttle);

  function open({ url, headers, body }: HttpPost, deadline: CallDeadline): ClientRequest {
    const isSecure = url.protocol === 'https:';
    const all = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers };
    const request = (isSecure ? https : http).request(url, {
      method: 'POST',
      agent: isSecure ? secure : plain,
      headers: all,
    });
    watchConnecting(request, deadline, isSecure);
    return request;
  }

  return {
    post: (post, deadline, onChunk) =>
      new Promise<Refusal | null>((resolve, reject) => {
        running += 1;
        try {
          new Exchange({
            post,
            open: () => open(post, deadline),
            deadline,
            onChunk,
            throttle,
            resolve,
            reject,
          });
        } catch (error) {
          post.onSent?.();
          reject(error);
        }
      }).finally(() => {
        running -= 1;
      }),
    close() {
      throttle.close();
      plain.destroy();
      secure.destroy();
    },
  };
}
