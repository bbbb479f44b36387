import { createHash, timingSafeEqual } from 'node:crypto';
import type { Writable } from 'node:stream';
import { BrowserRun, type RunLimits } from './browser-run.ts';
import {
  type HostEvent,
  HostFault,
  type HostRequest,
  type HostResponse,
  PROTOCOL,
  requestSchema,
} from './protocol.ts';
import type { Programs } from './walls/launch-browser.ts';
import type { Walls } from './walls/walls-found.ts';

/** Bytes that may wait for a reader before live pictures are left out. */
const FRAME_BACKLOG = 1_000_000;

export interface HostOptions {
  programs(): Programs | null;
  limits: RunLimits;
  runs: number;
  probe(): Promise<Walls>;
}

/** The runs of this process, of all connections. */
export class BrowserHost {
  readonly #options: HostOptions;
  readonly #runs = new Map<string, BrowserRun>();
  readonly #opening = new Set<string>();

  constructor(options: HostOptions) {
    this.#options = options;
  }

  probe(): Promise<Walls> {
    return this.#options.probe();
  }

  async open(request: Extract<HostRequest, { op: 'open' }>, tell: (event: HostEvent) => void): Promise<void> {
    const { limits, runs } = this.#options;
    const walls = await this.probe();
    const programs = this.#options.programs();
    if (walls.state === 'off' || programs === null) throw new HostFault('off', walls.reason);
    const { runId } = request;
    if (this.#runs.has(runId) || this.#opening.has(runId))
      throw new HostFault('run_exists', 'this run is open');
    if (this.#runs.size + this.#opening.size >= runs)
      throw new HostFault('busy', `there is room for ${runs} runs`);
    this.#opening.add(runId);
    try {
      const watched = (event: HostEvent) => {
        if (event.event === 'closed') this.#runs.delete(runId);
        tell(event);
      };
      this.#runs.set(runId, await BrowserRun.open({ programs, limits, request, tell: watched }));
    } finally {
      this.#opening.delete(runId);
    }
  }

  run(runId: string): BrowserRun {
    const run = this.#runs.get(runId);
    if (!run) throw new HostFault('no_run', 'there is no such run');
    return run;
  }

  async closeAll(runIds: Iterable<string> = this.#runs.keys()): Promise<void> {
    await Promise.all([...runIds].map((id) => this.#runs.get(id)?.close('closed')));
  }
}

/** Answers the lines of one connection; what it opened ends with it. `token` null: no greeting is needed. */
export class HostConnection {
  readonly #host: BrowserHost;
  readonly #output: Writable;
  readonly #token: string | null;
  readonly #opened = new Set<string>();
  readonly #opening = new Map<string, Promise<void>>();
  #isGreeted: boolean;
  #hasEnded = false;

  constructor(host: BrowserHost, output: Writable, token: string | null) {
    this.#host = host;
    this.#output = output;
    this.#token = token;
    this.#isGreeted = token === null;
  }

  get isGreeted(): boolean {
    return this.#isGreeted;
  }

  /** Handles one line. Throws for anything that is not a request of the protocol; the connection is to be closed then. */
  take(line: string): void {
    const parsed = requestSchema.safeParse(JSON.parse(line));
    if (!parsed.success) {
      const id = Number((JSON.parse(line) as { id?: unknown }).id);
      if (!this.#isGreeted || !Number.isInteger(id)) throw new Error('no request of the protocol');
      this.#write({
        id,
        error: { code: 'bad_request', message: parsed.error.issues[0]?.message ?? '' },
      });
      return;
    }
    const request = parsed.data;
    if (!this.#isGreeted && !this.#greets(request)) throw new HostFault('refused', 'the token is not right');
    this.#answer(request).then(
      (result) => this.#write({ id: request.id, result: result ?? {} }),
      (error: unknown) => this.#write({ id: request.id, error: faultOf(error) }),
    );
  }

  end(): Promise<void> {
    this.#hasEnded = true;
    return this.#host.closeAll(this.#opened);
  }

  #greets(request: HostRequest): boolean {
    this.#isGreeted =
      request.op === 'hello' && request.protocol === PROTOCOL && isSame(request.token, this.#token ?? '');
    return this.#isGreeted;
  }

  async #answer(request: HostRequest): Promise<unknown> {
    if (request.op === 'hello') return { protocol: PROTOCOL };
    if (request.op === 'probe') return this.#host.probe();
    if (request.op === 'open') return this.#open(request);
    if (request.op === 'close') await this.#opening.get(request.runId)?.catch(() => undefined);
    if (!this.#opened.has(request.runId)) throw new HostFault('no_run', 'there is no such run');
    const run = this.#host.run(request.runId);
    if (request.op === 'act') return run.act(request.action, request.args);
    if (request.op === 'allow') return run.allow(request.site, request.askId);
    if (request.op === 'deny') return run.deny(request.askId);
    if (request.op === 'screencast') return run.screencast(request.on);
    if (request.op === 'input') return run.input(request.input);
    if (request.op === 'read') return run.read();
    return run.close('closed');
  }

  async #open(request: Extract<HostRequest, { op: 'open' }>): Promise<void> {
    const { runId } = request;
    const opening = this.#host
      .open(request, (event) => {
        if (event.event === 'closed') this.#opened.delete(runId);
        this.#write(event);
      })
      .then(() => void this.#opened.add(runId));
    if (!this.#opening.has(runId)) this.#opening.set(runId, opening);
    await opening.finally(() => {
      if (this.#opening.get(runId) === opening) this.#opening.delete(runId);
    });
    // It was opening while the connection ended: nothing else closes it.
    if (this.#hasEnded) await this.end();
  }

  #write(value: HostEvent | HostResponse): void {
    const isFrame = 'event' in value && value.event === 'frame';
    if (isFrame && this.#output.writableLength > FRAME_BACKLOG) return;
    if (this.#output.writable) this.#output.write(`${JSON.stringify(value)}\n`);
  }
}

function faultOf(error: unknown): { code: HostFault['code']; message: string } {
  if (error instanceof HostFault) return { code: error.code, message: error.message };
  return { code: 'failed', message: error instanceof Error ? error.message.slice(0, 500) : String(error) };
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return expected !== '' && timingSafeEqual(digest(given), digest(expected));
}
