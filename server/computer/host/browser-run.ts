import type { Resolve } from '#server/platform/fetch/resolve-public.ts';
import { ActionFault, executeAction } from './execute-action.ts';
import { canErase, keysOf } from './keys.ts';
import { OfferedFiles } from './offered-files.ts';
import { PageCrashed, PageHangs } from './page-watch.ts';
import { Popups } from './popups.ts';
import {
  type ActError,
  type ActResult,
  type ClosedReason,
  type HostEvent,
  HostFault,
  type OpenRequest,
  type ReadResult,
  type UserInput,
} from './protocol.ts';
import { Questions } from './questions.ts';
import { parsePage, READ_PAGE } from './read-page.ts';
import { RequestGate } from './request-gate.ts';
import { Screencast } from './screencast.ts';
import { Denied, pixelOf, Tab, Unreachable } from './tab.ts';
import { TypedSecrets } from './typed-secrets.ts';
import { type Launched, launchBrowser, type Programs } from './walls/launch-browser.ts';
import {
  type Busy,
  BusyWatch,
  giveWay,
  listProcesses,
  memoryOf,
  processorMsOf,
} from './walls/process-watch.ts';

const CHECK_MS = 1_000;
/** A page that takes about a core for so long goes behind all others, whatever it runs on. */
const BUSY: Busy = { cores: 0.9, ms: 30_000 };
/** Clicks and keys of a user that may wait for their turn. */
const MAX_INPUTS = 50;
/** How many of these may be movements alone, so that there is room for the others. */
const MAX_MOVES = 10;
/** Characters that wait as one text. */
const MAX_WAITING_TEXT = 4_000;

export interface RunLimits {
  memoryBytes: number;
  lifetimeMs: number;
  /** Bytes through the proxy, in both directions. */
  bytes: number;
}

export interface RunOptions {
  programs: Programs;
  limits: RunLimits;
  request: Pick<OpenRequest, 'runId' | 'viewport' | 'allowedSites' | 'testHosts' | 'language'>;
  tell(event: HostEvent): void;
  /** The system's resolver, unless a test brings another. */
  resolve?: Resolve;
  /** `BUSY`, unless a test brings another. */
  busy?: Busy;
}

interface Parts {
  launched: Launched;
  gate: RequestGate;
  questions: Questions;
  tab: Tab;
  popups: Popups;
  offered: OfferedFiles;
}

/** One run: a browser of its own from `open` to `close`, or until a bound or a fault ends it. */
export class BrowserRun {
  readonly #options: RunOptions;
  readonly #parts: Parts;
  readonly #screencast: Screencast;
  readonly #typed: TypedSecrets;
  readonly #timers: NodeJS.Timeout[] = [];
  #inputs = 0;
  /** The last of what waits for its turn, where that is text. */
  #text: { input: { kind: 'type'; text: string }; done: Promise<void> } | null = null;
  #isReplacing = false;
  #work: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | null = null;

  private constructor(options: RunOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
    const { runId } = options.request;
    this.#typed = new TypedSecrets(() => parts.tab.readSecretField());
    this.#screencast = new Screencast((jpeg) =>
      options.tell({ event: 'frame', runId, jpeg, url: parts.tab.url }),
    );
  }

  /** Starts the browser. Throws when it does not start; nothing is left then. */
  static async open(options: RunOptions): Promise<BrowserRun> {
    const { programs, limits, request, tell } = options;
    const { runId, testHosts, viewport } = request;
    const questions = new Questions(runId, tell);
    let gate: RequestGate | null = null;
    const rules = {
      mayReach: (host: string, port: number, isTunnel: boolean) =>
        gate?.mayReach(host, port, isTunnel) ?? false,
      testHosts,
      maxBytes: limits.bytes,
      ...(options.resolve ? { resolve: options.resolve } : {}),
    };
    const launched = await launchBrowser(programs, rules, request.language);
    try {
      const { browser, proxy } = launched;
      const session = await browser.target().createCDPSession();
      const allowed = new Set(request.allowedSites);
      const find = (host: string) => proxy.find(host);
      let run: BrowserRun | null = null;
      const popups = new Popups({
        session,
        own: () => (run === null || run.#isReplacing ? null : run.#parts.tab.id),
        follow: (url) => tab.navigate(url),
        onTooMany: () => void run?.close('browser_ended', 'the page opened too many tabs'),
      });
      gate = new RequestGate({ session, allowed, testHosts, questions, find, popups });
      const offered = new OfferedFiles(session, allowed, testHosts);
      await offered.start();
      const tab = await Tab.open({ browser, gate, questions, testHosts, viewport });
      await gate.start();
      run = new BrowserRun(options, { launched, gate, questions, tab, popups, offered });
      run.#watch();
      await popups.start();
      return run;
    } catch (error) {
      await launched.kill();
      throw error;
    }
  }

  /** The process id of the root of its processes. */
  get pid(): number {
    return this.#parts.launched.pid;
  }

  act(action: string, args: unknown): Promise<ActResult> {
    return this.#inTurn(() => this.#act(action, args));
  }

  allow(site: string, askId: string | undefined): void {
    const { questions, gate } = this.#parts;
    if (askId === undefined) gate.allow(site);
    else if (!questions.answer(askId, true))
      throw new HostFault('bad_request', 'nothing is asked by this id');
  }

  deny(askId: string): void {
    if (!this.#parts.questions.answer(askId, false))
      throw new HostFault('bad_request', 'nothing is asked by this id');
  }

  async screencast(on: boolean): Promise<void> {
    await (on ? this.#screencast.start(this.#parts.tab.session) : this.#screencast.stop());
  }

  /**
   * A user's own click or key: users are asked only about a new site in what they do themselves. Text that comes while text waits is
   * added to that, so that who types into a slow page loses none of it; what waits for a page that hangs ends with it.
   */
  async input(given: UserInput): Promise<void> {
    const input = { ...given };
    const last = this.#text;
    if (input.kind === 'type' && last && last.input.text.length + input.text.length <= MAX_WAITING_TEXT) {
      last.input.text += input.text;
      return last.done;
    }
    const isMove = input.kind === 'move' || input.kind === 'scroll';
    if (this.#inputs >= (isMove ? MAX_MOVES : MAX_INPUTS))
      throw new HostFault('busy', 'too many inputs wait');
    this.#inputs += 1;
    const tabId = this.#parts.tab.id;
    const done = this.#inTurn(async () => {
      if (this.#text?.input === input) this.#text = null;
      if (this.#parts.tab.id !== tabId) return;
      await this.#input(input).catch(async (error: unknown) => {
        if (!(error instanceof PageHangs || error instanceof PageCrashed)) throw error;
        await this.#replaceTab();
      });
    }).finally(() => {
      this.#inputs -= 1;
    });
    if (input.kind === 'type') this.#text = { input, done };
    await done;
  }

  read(): Promise<ReadResult> {
    return this.#inTurn(async () => {
      const { tab } = this.#parts;
      const [place, page] = await Promise.all([tab.place(), tab.evaluate(READ_PAGE).catch(() => null)]);
      return { ...place, tables: parsePage(page), secrets: await this.#typed.take() };
    });
  }

  /** Ends the browser and all of its processes. The first reason is the one that is reported. */
  close(reason: ClosedReason, message = ''): Promise<void> {
    this.#closing ??= this.#close(reason, message);
    return this.#closing;
  }

  async #close(reason: ClosedReason, message: string): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#parts.questions.denyAll();
    await this.#parts.launched.kill();
    const { tell, request } = this.#options;
    tell({ event: 'closed', runId: request.runId, reason, message });
  }

  #watch(): void {
    const { launched } = this.#parts;
    const { limits } = this.#options;
    void launched.ended.then((said) => this.close('browser_ended', said));
    const busyWatch = new BusyWatch(this.#options.busy ?? BUSY);
    const check = async () => {
      const pids = await listProcesses(launched.pid);
      const held = await memoryOf(pids);
      if (held > limits.memoryBytes)
        await this.close('memory', `the browser held ${Math.round(held / 1e6)} MB`);
      if (busyWatch.isTooMuch(await processorMsOf(pids))) await giveWay(pids);
    };
    this.#timers.push(
      setInterval(() => void check().catch(() => undefined), CHECK_MS),
      setTimeout(() => void this.close('lifetime'), limits.lifetimeMs),
    );
  }

  async #replaceTab(): Promise<void> {
    this.#isReplacing = true;
    try {
      await this.#parts.tab.replace();
      await this.#screencast.moveTo(this.#parts.tab.session);
    } finally {
      this.#isReplacing = false;
    }
    await this.#parts.popups.closeOthers();
  }

  async #act(action: string, args: unknown): Promise<ActResult> {
    const { tab, gate, questions, popups, offered } = this.#parts;
    const { viewport, testHosts, language } = this.#options.request;
    const started = performance.now();
    gate.takeRefused();
    questions.takeDenied();
    tab.takeSensitive();
    tab.takeActed();
    const secrets = await this.#typed.take();
    let fault: { error: ActError; message: string } | null = null;
    let jpeg: string | null = null;
    let isDone = false;
    try {
      await executeAction({ tab, viewport, testHosts, language }, action, args);
      isDone = true;
      await tab.watch.settle();
      while (await popups.gone()) await tab.watch.settle();
    } catch (error) {
      fault = faultOf(error);
    }
    if (fault === null || !UNDRAWN.has(fault.error)) jpeg = await tab.picture();
    // An action may fail before the browser says that its page crashed.
    if (tab.watch.hasCrashed) fault = faultOf(new PageCrashed());
    const dialogs = tab.watch.takeDialogs();
    if (fault && BROKEN.has(fault.error)) await this.#replaceTab();
    const denied = questions.takeDenied();
    const { refused, unfit } = gate.takeRefused();
    if (denied) fault = { error: 'denied', message: 'the user did not allow it' };
    else if (unfit) fault = UNFIT[unfit];
    return {
      ...(fault ?? { error: null, message: '' }),
      denied: denied && { kind: denied.kind, site: denied.site },
      done: tab.takeActed() || isDone,
      sensitive: tab.takeSensitive(),
      ...(await tab.place()),
      jpeg,
      ...viewport,
      dialogs,
      refused,
      files: offered.take(),
      secrets,
      ms: Math.round(performance.now() - started),
    };
  }

  async #input(input: UserInput): Promise<void> {
    const { tab } = this.#parts;
    const { viewport } = this.#options.request;
    await tab.release();
    if (input.kind === 'type') return this.#type(input.text);
    if (input.kind === 'key') {
      const keys = keysOf(input.key);
      if (!keys) throw new HostFault('bad_request', 'no such key');
      if (keys.length === 1 && keys[0]?.length === 1) return this.#type(keys[0]);
      if (canErase(keys)) this.#typed.erase();
      else await this.#typed.end();
      return tab.keys(keys);
    }
    const { x, y } = pixelOf(input.x, input.y, viewport);
    if (input.kind === 'move') return tab.move(x, y, 1);
    if (input.kind === 'scroll') {
      const [dx, dy] = [(input.dx * viewport.width) / 1_000, (input.dy * viewport.height) / 1_000];
      return tab.scroll(x, y, dx, dy);
    }
    await this.#typed.end();
    return tab.click(x, y, 'left', input.kind === 'double_click' ? 2 : 1);
  }

  async #type(text: string): Promise<void> {
    await this.#parts.tab.type(text, {
      beforeLine: (line) => this.#typed.type(line),
      beforeEnter: () => this.#typed.end(),
    });
  }

  /** Runs one task after the other; the end of the run ends the waiting. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#text = null;
    const ended = this.#parts.launched.ended.then(() => {
      throw new HostFault('no_run', 'the run has ended');
    });
    const done = this.#work.then(() => Promise.race([work(), ended]));
    this.#work = done.catch(() => undefined);
    return done;
  }
}

const BROKEN: ReadonlySet<ActError> = new Set(['page_unresponsive', 'page_crashed']);
/** Nothing to see, or nothing done. */
const UNDRAWN: ReadonlySet<ActError> = new Set([...BROKEN, 'unsupported', 'bad_arguments']);

/** What the model is told of an address that was refused without a question. */
const UNFIT: Record<'private' | 'unknown', { error: ActError; message: string }> = {
  private: { error: 'refused', message: 'this address is not one of the public Internet' },
  unknown: { error: 'unreachable', message: 'no server was found by this name' },
};

function faultOf(error: unknown): { error: ActError; message: string } {
  if (error instanceof ActionFault) return { error: error.code, message: error.message };
  if (error instanceof Denied) return { error: 'denied', message: 'the user did not allow it' };
  if (error instanceof Unreachable) return { error: 'unreachable', message: error.message };
  if (error instanceof PageHangs)
    return { error: 'page_unresponsive', message: 'the page did not respond and was closed' };
  if (error instanceof PageCrashed)
    return { error: 'page_crashed', message: 'the page crashed and was closed' };
  return { error: 'failed', message: error instanceof Error ? error.message.slice(0, 300) : String(error) };
}
