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
  /** A new picture of the page, as a screencast sends it. */
  sendFrame(runId: string, jpeg: string): void;
  /** The browser of a run is gone. */
  loseBrowser(runId: string): void;
  open: Set<string>;
  close(): Promise<void>;
}

function resultOf(act: Act, jpeg: string, over: Partial<ActResult>): ActResult {
  const url = act.action === 'navigate' ? String(act.args.url) : 'http://shop.test/';
  return {
    ...{ error: null, message: '', denied: null, sensitive: false, url, title: 'Shop', jpeg, ...VIEWPORT },
    ...{ dialogs: [], files: [], refused: {}, ms: 5 },
    ...over,
  };
}

/** What it says of itself, to who has its token. */
function introduce(request: HostRequest) {
  if (request.op !== 'hello') {
    const walls = { state: 'ready', reason: '', walls: 'namespaces', browser: 'Played 1', runs: 100 };
    return { result: { ...walls, checks: [] } };
  }
  const isKnown = request.token === HOST_TOKEN && request.protocol === PROTOCOL;
  return isKnown ? { result: {} } : { error: { code: 'refused', message: 'who are you' } };
}

const PAGE = { url: 'http://shop.test/', title: 'Shop' };
/** What it asks where the test does not say, and how an action ends that was denied. */
const QUESTION = { kind: 'new_site', site: 'other.test', from: 'shop.test', url: 'http://other.test/' };
const DENIED: Partial<ActResult> = {
  ...{ error: 'denied', message: 'no', denied: { kind: 'new_site', site: 'other.test' } },
};

/** Starts it on a socket of this machine. */
export async function startPlayedHost(): Promise<PlayedHost> {
  const jpeg = await makePicture();
  const requests: HostRequest[] = [];
  const open = new Set<string>();
  const waiting = new Map<string, { act: Act; result(answer: 'allow' | 'deny'): void }>();
  const sockets = new Set<Socket>();
  let played: Played = () => ({});
  let tables: PageTable[] | null = [];
  /** Ids of the requests that are not answered, by their runs. */
  const reads = new Map<string, number>();

  function send(value: object) {
    for (const socket of sockets) socket.write(`${JSON.stringify(value)}\n`);
  }

  function act(request: Act) {
    const answer = (result: ActResult) => send({ id: request.id, result });
    const outcome = played(request);
    if (outcome === 'never') return;
    const { ask, ...result } = outcome;
    if (!ask) return answer(resultOf(request, jpeg, result));
    const { runId } = request;
    const askId = `ask-${request.id}`;
    waiting.set(askId, {
      act: request,
      result: (said) => answer(resultOf(request, jpeg, said === 'allow' ? result : DENIED)),
    });
    send({ event: 'asked', runId, askId, ...QUESTION, ...ask });
  }

  function settle(askId: string | undefined, said: 'allow' | 'deny') {
    waiting.get(askId ?? '')?.result(said);
    waiting.delete(askId ?? '');
  }

  function answer(request: HostRequest) {
    const { id, op } = request;
    if (op === 'hello' || op === 'probe') return send({ id, ...introduce(request) });
    requests.push(request);
    if (op === 'act') return act(request);
    if (op === 'read' && tables === null) return void reads.set(request.runId, id);
    if (op === 'read') return send({ id, result: { ...PAGE, tables } });
    if (op === 'open') open.add(request.runId);
    if (op === 'close') open.delete(request.runId);
    if (op === 'allow') settle(request.askId, 'allow');
    if (op === 'deny') settle(request.askId, 'deny');
    send({ id, result: {} });
  }

  const { server, address } = await listen(sockets, answer);
  return {
    address,
    requests,
    open,
    play(next) {
      played = next;
    },
    showTables(next) {
      tables = next;
    },
    sendFrame: (runId, frame) => send({ event: 'frame', runId, jpeg: frame }),
    loseBrowser(runId) {
      open.delete(runId);
      if (reads.has(runId)) send({ id: reads.get(runId), error: { code: 'no_run', message: 'it is gone' } });
      send({ event: 'closed', runId, reason: 'browser_ended', message: 'it is gone' });
    },
    close: () => end(server, sockets),
  };
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
