import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { readLines } from '#server/computer/host/line-reader.ts';
import {
  type ActResult,
  type Asked,
  type HostRequest,
  PROTOCOL,
  requestSchema,
  VIEWPORT,
} from '#server/computer/host/protocol.ts';
import type { PageTable } from '#server/computer/host/read-page.ts';
import { makePicture } from './make-picture.ts';

export const HOST_TOKEN = 'a-token-of-the-host';

type Act = Extract<HostRequest, { op: 'act' }>;
/** What the browser does of an action: a result, or a question to the user first. */
export type Played = (act: Act) => (Partial<ActResult> & { ask?: Partial<Asked> | undefined }) | 'never';

/** A browser host that speaks the real protocol and has no browser: what its pages do is said by the test. */
export interface PlayedHost {
  address: string;
  /** All that it was asked, in order, but for `hello` and `probe`. */
  requests: HostRequest[];
  /** What becomes of the actions that follow. */
  play(played: Played): void;
  /** The tables of the page that is open from now on; null: it is never read. */
  showTables(tables: PageTable[] | null): void;
  /** A new picture of the page, as a screencast sends it; hosts of the version before do not say of which. */
  sendFrame(runId: string, jpeg: string, url?: string): void;
  /** Something that no action does wants a new site: a click of the user, say. */
  ask(runId: string): void;
  /** What was asked last without an action is over: the tab goes somewhere else. */
  withdraw(runId: string): void;
  /** Ends the action of a run that was never to end. */
  finish(runId: string): void;
  /** The browser of a run is gone. */
  loseBrowser(runId: string): void;
  /** The host itself is gone with all its browsers, and there again for the next who calls. */
  lose(): void;
  open: Set<string>;
  /** What it says of its walls from now on; `off`: it opens no browser either. */
  walls: 'ready' | 'off';
  /** Browsers open once this settles, and close no earlier. */
  openAfter: Promise<void>;
  close(): Promise<void>;
}

const NEW_SITE = { kind: 'new_site', site: 'other.test', from: 'shop.test', url: 'http://other.test/' };
const DENIED = { error: 'denied', message: 'no', denied: { kind: 'new_site', site: 'other.test' } } as const;

function resultOf(act: Act, jpeg: string, over: Partial<ActResult>): ActResult {
  const url = act.action === 'navigate' ? String(act.args.url) : 'http://shop.test/';
  return {
    ...{ error: null, message: '', denied: null, sensitive: false, url, title: 'Shop', jpeg, ...VIEWPORT },
    ...{ done: !over.error, dialogs: [], files: [], secrets: [], refused: {}, ms: 5 },
    ...over,
  };
}

const NOT_PROVED = 'no walls are played';

/** What it says of itself, to who has its token. */
function introduce(request: HostRequest, state: PlayedHost['walls']) {
  if (request.op !== 'hello') {
    const reason = state === 'off' ? NOT_PROVED : '';
    const found = { state, reason, walls: 'namespaces', browser: 'Played 1', runs: 100, checks: [] };
    return { result: found };
  }
  const isKnown = request.token === HOST_TOKEN && request.protocol === PROTOCOL;
  return isKnown ? { result: {} } : { error: { code: 'refused', message: 'who are you' } };
}

/** What its pages do: actions, and questions that wait for an answer. */
function playActs(jpeg: string, send: (value: object) => void) {
  const waiting = new Map<string, (said: 'allow' | 'deny') => void>();
  const endless = new Map<string, () => void>();
  let played: Played = () => ({});

  function act(request: Act) {
    const { id, runId } = request;
    const answer = (over: Partial<ActResult>) => send({ id, result: resultOf(request, jpeg, over) });
    const outcome = played(request);
    if (outcome === 'never') return void endless.set(runId, () => answer({ jpeg: null }));
    const { ask, ...result } = outcome;
    if (!ask) return answer(result);
    const askId = `ask-${id}`;
    waiting.set(askId, (said) =>
      answer(said === 'allow' ? result : { ...DENIED, done: result.done ?? false }),
    );
    send({ event: 'asked', runId, askId, ...NEW_SITE, ...ask });
  }

  return {
    act,
    settle(askId: string | undefined, said: 'allow' | 'deny') {
      waiting.get(askId ?? '')?.(said);
      waiting.delete(askId ?? '');
    },
    play(next: Played) {
      played = next;
    },
    finish(runId: string) {
      endless.get(runId)?.();
      endless.delete(runId);
    },
  };
}

const PAGE = { url: 'http://shop.test/', title: 'Shop' };

/** Starts it on a socket of this machine. */
export async function startPlayedHost(): Promise<PlayedHost> {
  const requests: HostRequest[] = [];
  const open = new Set<string>();
  const sockets = new Set<Socket>();
  let tables: PageTable[] | null = [];
  /** Ids of the requests that are not answered, by their runs. */
  const reads = new Map<string, number>();

  function send(value: object) {
    for (const socket of sockets) socket.write(`${JSON.stringify(value)}\n`);
  }
  const { act, settle, play, finish } = playActs(await makePicture(), send);

  function answer(request: HostRequest) {
    const { id, op } = request;
    if (op === 'hello' || op === 'probe') return send({ id, ...introduce(request, host.walls) });
    requests.push(request);
    if (op === 'act') return act(request);
    if (op === 'read' && tables === null) return void reads.set(request.runId, id);
    if (op === 'read') return send({ id, result: { ...PAGE, tables } });
    if (op === 'open' && host.walls === 'off')
      return send({ id, error: { code: 'off', message: NOT_PROVED } });
    if (op === 'open') {
      void host.openAfter.then(() => {
        open.add(request.runId);
        send({ id, result: {} });
      });
      return;
    }
    if (op === 'close') {
      void host.openAfter.then(() => {
        open.delete(request.runId);
        send({ id, result: {} });
      });
      return;
    }
    if (op === 'allow') settle(request.askId, 'allow');
    if (op === 'deny') settle(request.askId, 'deny');
    send({ id, result: {} });
  }

  const { server, address } = await listen(sockets, answer);
  const host: PlayedHost = {
    address,
    requests,
    open,
    walls: 'ready',
    openAfter: Promise.resolve(),
    play,
    finish,
    showTables(next) {
      tables = next;
    },
    sendFrame: (runId, jpeg, url) => send({ event: 'frame', runId, jpeg, url }),
    ask: (runId) => send({ event: 'asked', runId, askId: `ask-of-${runId}`, ...NEW_SITE }),
    withdraw: (runId) => send({ event: 'withdrawn', runId, askId: `ask-of-${runId}` }),
    loseBrowser(runId) {
      open.delete(runId);
      if (reads.has(runId)) send({ id: reads.get(runId), error: { code: 'no_run', message: 'it is gone' } });
      send({ event: 'closed', runId, reason: 'browser_ended', message: 'it is gone' });
    },
    lose() {
      open.clear();
      for (const socket of sockets) socket.destroy();
    },
    close: () => end(server, sockets),
  };
  return host;
}

function end(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}

/** Takes connections, and hands on what they ask. */
async function listen(sockets: Set<Socket>, onRequest: (request: HostRequest) => void) {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    const read = readLines((line) => onRequest(requestSchema.parse(JSON.parse(line))));
    socket.on('data', (piece) => read(piece));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}
