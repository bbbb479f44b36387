import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { MINUTE_MS } from '#contract/time.ts';
import type { Log } from '#server/platform/log.ts';
import { runApart } from '#server/platform/telemetry/request-context.ts';
import { readLines } from '../host/line-reader.ts';
import {
  type ActResult,
  type Asked,
  actResultSchema,
  type ClosedReason,
  eventSchema,
  HostFault,
  type HostResponse,
  KEEP_ALIVE_MS,
  PROTOCOL,
  type ReadResult,
  readResultSchema,
  responseSchema,
  type UserInput,
} from '../host/protocol.ts';
import { type Walls, wallsSchema } from '../host/walls/walls-found.ts';

const PROGRAM = fileURLToPath(new URL('../host/run-host.ts', import.meta.url));
/** The time-out of all requests but `act` and `input`, which have bounds of their own in the host, and wait for a user or their turn. */
const REQUEST_TIMEOUT_MS = MINUTE_MS;
/** The time-out of `open`: one or two browsers start meanwhile, on a machine that may be busy. */
const START_TIMEOUT_MS = 180_000;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_ERRORS = 4_000;

export interface HostSettings {
  /** `host:port` or the path of a socket; null: a child process of ours. */
  address: string | null;
  token: string | null;
  /** Given to a child: what it may use. */
  runs: number;
  memoryMb: number;
  lifetimeMinutes: number;
  chromium: string | null;
}

export interface RunHandlers {
  /** The browser waits for `allow` or `deny`. */
  asked(question: Asked): void;
  /** It does not wait for an answer to this question any more. */
  withdrawn(askId: string): void;
  /** `url` is that of the page that is drawn, where the host reports it. */
  frame(jpeg: string, url: string | undefined): void;
  /** Called once; no call after it succeeds. */
  closed(reason: ClosedReason, message: string): void;
}

export interface OpenRun {
  runId: string;
  allowedSites: string[];
  testHosts: Readonly<Record<string, string>>;
  language: 'zh' | 'en';
}

/** The browser host as the server sees it. It is started, or connected to, with the first call, and again after it ended. */
export interface HostClient {
  /** What the host found about its walls. Throws when it cannot be reached. */
  probe(): Promise<Walls>;
  /** Throws `HostFault` `busy` where there is no room, `off` where no walls are proved. */
  open(run: OpenRun, handlers: RunHandlers): Promise<void>;
  /** Settles when the action is over, questions to the user included. Throws `HostFault` `no_run` when the run ends meanwhile. */
  act(runId: string, action: string, args: Record<string, unknown>): Promise<ActResult>;
  /** Lets a site be used; with `askId` it answers that question with yes. */
  allow(runId: string, site: string, askId?: string): Promise<void>;
  deny(runId: string, askId: string): Promise<void>;
  screencast(runId: string, on: boolean): Promise<void>;
  input(runId: string, input: UserInput): Promise<void>;
  /** The tables of the page that is open. */
  read(runId: string): Promise<ReadResult>;
  /** Ends a run; one that has ended is no error. */
  close(runId: string): Promise<void>;
  /** Ends the host, if it is a child, and all runs. */
  stop(): Promise<void>;
}

class HostSilent extends HostFault {}

interface Link {
  input: Readable;
  output: Writable;
  /** Ends it for good. */
  end(): void;
  ended: Promise<void>;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout | null;
}

/** Makes the client; nothing is started yet. */
export function createHostClient(settings: HostSettings, log: Log): HostClient {
  const wire = new HostWire(settings, log);
  const { runs } = wire;
  const tell = async (request: Record<string, unknown>) => {
    await wire.call(request);
  };
  return {
    probe: async () => wallsSchema.parse(await wire.call({ op: 'probe' })),
    open: async (run, handlers) => {
      const { runId } = run;
      if (runs.has(runId)) throw new HostFault('run_exists', 'this run is open');
      runs.set(runId, handlers);
      try {
        await wire.call({ op: 'open', ...run });
      } catch (error) {
        runs.delete(runId);
        // A host that did not answer in time may still open it.
        if (error instanceof HostSilent) void wire.call({ op: 'close', runId }).catch(() => undefined);
        throw error;
      }
    },
    act: async (runId, action, args) =>
      actResultSchema.parse(await wire.call({ op: 'act', runId, action, args })),
    allow: (runId, site, askId) =>
      tell({ op: 'allow', runId, site, ...(askId === undefined ? {} : { askId }) }),
    deny: (runId, askId) => tell({ op: 'deny', runId, askId }),
    screencast: (runId, on) => tell({ op: 'screencast', runId, on }),
    input: (runId, input) => tell({ op: 'input', runId, input }),
    read: async (runId) => readResultSchema.parse(await wire.call({ op: 'read', runId })),
    close: async (runId) => {
      if (!runs.has(runId)) return;
      await wire.call({ op: 'close', runId });
      runs.delete(runId);
    },
    stop: () => wire.stop(),
  };
}

/** Requests and their answers, and the events of runs, over one link at a time. */
class HostWire {
  readonly runs = new Map<string, RunHandlers>();
  readonly #settings: HostSettings;
  readonly #log: Log;
  readonly #waiting = new Map<number, Waiting>();
  #link: Promise<Link> | null = null;
  /** The link that is in use, or that greets the host. */
  #made: Link | null = null;
  #count = 0;

  constructor(settings: HostSettings, log: Log) {
    this.#settings = settings;
    this.#log = log;
  }

  async call(request: Record<string, unknown>): Promise<unknown> {
    this.#link ??= this.#open();
    return this.#ask(await this.#link, request);
  }

  async stop(): Promise<void> {
    const current = await this.#link?.catch(() => null);
    current?.end();
    await current?.ended;
  }

  async #open(): Promise<Link> {
    const { address, token } = this.#settings;
    try {
      const made =
        address === null ? runApart(() => startChild(this.#settings, this.#log)) : await connectTo(address);
      this.#made = made;
      const read = readLines((line) => this.#take(line));
      made.input.on('data', (piece: Buffer) => {
        try {
          read(piece);
        } catch (error) {
          this.#log.error({ err: error }, 'the browser host said what is not its protocol');
          made.end();
        }
      });
      void made.ended.then(() => {
        if (this.#made === made) this.#lose();
      });
      if (address !== null) await this.#ask(made, { op: 'hello', token: token ?? '', protocol: PROTOCOL });
      return made;
    } catch (error) {
      this.#made?.end();
      this.#made = null;
      this.#link = null;
      throw new HostFault('failed', `the browser host cannot be reached: ${(error as Error).message}`);
    }
  }

  #ask(to: Link, request: Record<string, unknown>): Promise<unknown> {
    this.#count += 1;
    const id = this.#count;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const giveUp = () => {
      this.#waiting.delete(id);
      reject(new HostSilent('failed', 'the browser host does not answer'));
    };
    const isStart = request.op === 'open' || request.op === 'probe';
    const isBounded = request.op === 'act' || request.op === 'input';
    const timer = isBounded ? null : setTimeout(giveUp, isStart ? START_TIMEOUT_MS : REQUEST_TIMEOUT_MS);
    this.#waiting.set(id, { resolve, reject, timer });
    to.output.write(`${JSON.stringify({ id, ...request })}\n`);
    return promise;
  }

  #take(line: string) {
    const value: unknown = JSON.parse(line);
    const response = responseSchema.safeParse(value);
    if (response.success) {
      this.#answer(response.data);
      return;
    }
    const event = eventSchema.parse(value);
    const handlers = this.runs.get(event.runId);
    if (event.event === 'frame') handlers?.frame(event.jpeg, event.url);
    else if (event.event === 'asked') handlers?.asked(event);
    else if (event.event === 'withdrawn') handlers?.withdrawn(event.askId);
    else {
      this.runs.delete(event.runId);
      handlers?.closed(event.reason, event.message);
    }
  }

  #answer({ id, result, error }: HostResponse) {
    const found = this.#waiting.get(id);
    if (!found) return;
    this.#waiting.delete(id);
    settle(found, () =>
      error ? found.reject(new HostFault(error.code, error.message)) : found.resolve(result),
    );
  }

  #lose() {
    const message = 'the browser host has ended';
    this.#link = null;
    this.#made = null;
    for (const each of this.#waiting.values())
      settle(each, () => each.reject(new HostFault('failed', message)));
    this.#waiting.clear();
    for (const [runId, handlers] of this.runs) {
      this.runs.delete(runId);
      handlers.closed('host_ended', message);
    }
  }
}

function settle({ timer }: Waiting, then: () => void) {
  if (timer) clearTimeout(timer);
  then();
}

/** The host as a child: it ends when the pipe to it does, so that it does not outlive this process however that ends. */
function startChild(settings: HostSettings, log: Log): Link {
  const { runs, memoryMb, lifetimeMinutes, chromium } = settings;
  const given = JSON.stringify({ runs, memoryMb, lifetimeMinutes, chromium });
  const child = spawn(process.execPath, ['--max-semi-space-size=8', '--v8-pool-size=1', PROGRAM, given], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { MALLOC_ARENA_MAX: '2', ...inherited() },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-MAX_ERRORS);
  });
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      log.error({ err: error }, 'the browser host does not start');
      resolve();
    });
    child.on('close', (code) => {
      if (code !== 0) log.error({ code, said }, 'the browser host ended');
      resolve();
    });
  });
  return { input: child.stdout, output: child.stdin, end: () => child.stdin.end(), ended };
}

/** The variables by which a program finds others; no setting and no secret is passed on. */
function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'NODE_COMPILE_CACHE'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

async function connectTo(address: string): Promise<Link> {
  const [, host, port] = /^(.+):(\d+)$/.exec(address) ?? [];
  const socket = host === undefined ? connect(address) : connect(Number(port), host);
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  const late = setTimeout(() => socket.destroy(new Error('it does not answer in time')), CONNECT_TIMEOUT_MS);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject)).finally(() =>
    clearTimeout(late),
  );
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  return { input: socket, output: socket, end: () => socket.destroy(), ended };
}
