import { ApiError } from '../api.ts';
import { type EventStream, openEventStream, type ServerEvent } from './event-stream.ts';

const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 15_000;
/** The server sends a heartbeat every 15 s; three missed ones mean that the connection is dead. */
const STALL_MS = 45_000;

export interface FollowOptions {
  /** Ends the following; the promise then resolves. */
  signal: AbortSignal;
  /** Takes one event; `'done'` ends the following for good, `'reconnect'` drops the connection and resumes. */
  onEvent(event: ServerEvent): 'done' | 'reconnect' | undefined;
  /** A connection stands: called at first and after every reconnection. */
  onOpen?(): void;
  /** A connection was lost or could not be made; another try follows by itself. */
  onLost?(): void;
  /** A stream that is open already: it is read first. */
  first?: EventStream | undefined;
  /** Where to resume; an event with a later `id:` moves it on. */
  resumeAfter?(): string;
  wake?: Wake;
}

/**
 * Follows a stream of server-sent events through every loss of the connection (https://html.spec.whatwg.org, 9.2): resumes with
 * `Last-Event-ID`, waits longer after each failure (0.25 to 15 s, with jitter), at once when the network or the page comes back,
 * and holds no connection while the page is hidden. Resolves when it is done; throws `ApiError` when our server refuses (4xx).
 */
export async function followEvents(url: string, options: FollowOptions): Promise<void> {
  const wake = options.wake ?? pageWake;
  let failures = 0;
  let lastId = '';
  let { first } = options;
  while (!options.signal.aborted) {
    if (!wake.awake) {
      first?.controller.abort();
      first = undefined;
      await waitForWake(wake, options.signal, Number.POSITIVE_INFINITY);
      continue;
    }
    const resumeAfter = options.resumeAfter?.() ?? lastId;
    const connection = new Connection(url, options, wake, resumeAfter, first);
    first = undefined;
    const outcome = await connection.run();
    lastId = connection.lastId;
    if (outcome === 'done' || options.signal.aborted) return;
    if (outcome === 'asleep' || outcome === 'online') continue;
    options.onLost?.();
    failures = connection.opened ? 0 : failures + 1;
    await waitForWake(wake, options.signal, backoff(failures));
  }
}

function backoff(failures: number): number {
  const ceiling = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** failures);
  return ceiling * (0.5 + Math.random() / 2);
}

/** Waits `ms`, or less when the page or the network comes back or `signal` aborts. */
function waitForWake(wake: Wake, signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = Number.isFinite(ms) ? setTimeout(finish, ms) : undefined;
    const unsubscribe = wake.subscribe((change) => {
      if (change !== 'asleep') finish();
    });
    signal.addEventListener('abort', finish);
    function finish() {
      clearTimeout(timer);
      unsubscribe();
      signal.removeEventListener('abort', finish);
      resolve();
    }
  });
}

type Outcome = 'done' | 'lost' | 'asleep' | 'online';

class Connection {
  opened = false;
  lastId: string;
  private outcome: Outcome = 'lost';
  private stream: EventStream | null;
  private readonly controller: AbortController;
  private readonly url: string;
  private readonly options: FollowOptions;
  private readonly wake: Wake;

  constructor(url: string, options: FollowOptions, wake: Wake, lastId: string, first?: EventStream) {
    this.url = url;
    this.options = options;
    this.wake = wake;
    this.lastId = lastId;
    this.stream = first ?? null;
    this.controller = first?.controller ?? new AbortController();
  }

  async run(): Promise<Outcome> {
    const onAbort = () => this.close('done');
    const unsubscribe = this.wake.subscribe((change) => {
      if (change === 'asleep') this.close('asleep');
      if (change === 'online') this.close('online');
    });
    const started = Date.now();
    const stall = setInterval(() => {
      if (Date.now() - (this.stream?.lastByteAt ?? started) > STALL_MS) this.close('lost');
    }, STALL_MS / 5);
    this.options.signal.addEventListener('abort', onAbort);
    try {
      await this.read();
    } catch (error) {
      if (error instanceof ApiError && isFinal(error)) throw error;
    } finally {
      clearInterval(stall);
      unsubscribe();
      this.options.signal.removeEventListener('abort', onAbort);
      this.controller.abort();
    }
    return this.outcome;
  }

  private close(outcome: Outcome) {
    this.outcome = outcome;
    this.controller.abort();
  }

  private async read(): Promise<void> {
    const { controller, lastId } = this;
    this.stream ??= await openEventStream(this.url, { controller, lastId });
    if (!this.stream) return this.close('done');
    this.opened = true;
    this.options.onOpen?.();
    for (;;) {
      const event = await this.stream.next();
      if (!event || controller.signal.aborted) return;
      this.lastId = event.id;
      const verdict = this.options.onEvent(event);
      if (verdict) return this.close(verdict === 'done' ? 'done' : 'lost');
    }
  }
}

/**
 * A refusal (4xx) is final; too many requests and a server in trouble are worth another try, and so is a page that is not ours
 * (`internal`), such as a proxy's 404 while the server restarts.
 */
function isFinal({ status, code }: ApiError): boolean {
  if (status === null || code === 'internal') return false;
  return status >= 400 && status < 500 && status !== 429 && status !== 408;
}

/** `awake`: the page is on screen; `asleep`: it is hidden; `online`: the network came back, so old connections are suspect. */
export type WakeChange = 'awake' | 'asleep' | 'online';

/** Reports whether streams are worth holding open. */
export interface Wake {
  readonly awake: boolean;
  /** Reports every change until the function it returns is called. */
  subscribe(listener: (change: WakeChange) => void): () => void;
}

/**
 * The browser's own page: asleep while hidden, because HTTP/1.1 allows six connections to one origin for all tabs together.
 * `navigator.onLine` is not asked: it is false on a machine that reaches only itself.
 */
const pageWake: Wake = {
  get awake() {
    return document.visibilityState === 'visible';
  },
  subscribe(listener) {
    const onVisibility = () => listener(document.visibilityState === 'visible' ? 'awake' : 'asleep');
    const onOnline = () => listener('online');
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('online', onOnline);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('online', onOnline);
    };
  },
};
