import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { NO_WALLS, PROGRAMS, walled } from '#test/computer/walls.ts';
import { IS_LONG } from '#test/runs.ts';
import type { BrowserRun } from './browser-run.ts';
import { BrowserHost, HostConnection } from './host-server.ts';
import { type HostEvent, PROTOCOL, requestSchema } from './protocol.ts';
import { serveSocket } from './serve-socket.ts';

const TOKEN = 'a-token-of-sixteen';
const OPTIONS = {
  ...{ programs: () => null, limits: { memoryBytes: 1, lifetimeMs: 1, bytes: 1 }, runs: 1 },
  probe: async () => Promise.reject(new Error('no walls here')),
};

/** Opens nothing, when it is told to. */
class SlowHost extends BrowserHost {
  readonly closed: string[] = [];
  readonly ended: string[] = [];
  readonly opened = Promise.withResolvers<void>();
  tell: (event: HostEvent) => void = () => undefined;
  override open(_: unknown, tell: (event: HostEvent) => void): Promise<void> {
    this.tell = tell;
    return this.opened.promise;
  }
  override run(runId: string): BrowserRun {
    return { close: async () => this.ended.push(runId) } as unknown as BrowserRun;
  }
  override async closeAll(runIds: Iterable<string> = []): Promise<void> {
    this.closed.push(...runIds);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'parley-host-'));
const path = join(folder, 'host.sock');
let server: Server | null = null;
afterEach(() => server?.close());
afterAll(() => rmSync(folder, { recursive: true }));

async function knock(greetingMs?: number): Promise<Socket> {
  server = serveSocket(new BrowserHost(OPTIONS), path, TOKEN, greetingMs);
  const socket = connect(path);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

const ended = (socket: Socket) => new Promise((resolve) => socket.resume().once('close', resolve));
const hello = `${JSON.stringify({ id: 1, op: 'hello', token: TOKEN, protocol: PROTOCOL })}\n`;

it('a browser that is still opening when its connection ends is closed when it is there', async () => {
  const host = new SlowHost(OPTIONS);
  const connection = new HostConnection(host, new PassThrough(), null);
  connection.take(JSON.stringify({ id: 1, op: 'open', runId: 'late', allowedSites: [] }));
  await connection.end();
  expect(host.closed).toEqual([]);
  host.opened.resolve();
  await vi.waitFor(() => expect(host.closed).toEqual(['late']));
});

it('a browser that has ended is none of its connection any more', async () => {
  const host = new SlowHost(OPTIONS);
  const output = new PassThrough();
  const said: string[] = [];
  output.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const connection = new HostConnection(host, output, null);
  connection.take(JSON.stringify({ id: 1, op: 'open', runId: 'short', allowedSites: [] }));
  host.opened.resolve();
  await vi.waitFor(() => expect(said.join('')).toContain('result'));
  host.tell({ event: 'closed', runId: 'short', reason: 'lifetime', message: '' });
  await connection.end();
  expect(host.closed).toEqual([]);
});

it('a browser that is to be closed while it still opens is closed when it is there', async () => {
  const host = new SlowHost(OPTIONS);
  const output = new PassThrough();
  const said: string[] = [];
  output.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const connection = new HostConnection(host, output, null);
  connection.take(JSON.stringify({ id: 1, op: 'open', runId: 'late', allowedSites: [] }));
  connection.take(JSON.stringify({ id: 2, op: 'close', runId: 'late' }));
  host.opened.resolve();
  await vi.waitFor(() => expect(host.ended).toEqual(['late']));
  expect(said.join('')).not.toContain('no_run');
});

it.runIf(IS_LONG && NO_WALLS === null)(walled('of two requests to open one run one opens it'), async () => {
  if (!PROGRAMS) return;
  const programs = PROGRAMS;
  const host = new BrowserHost({
    programs: () => programs,
    limits: { memoryBytes: 3e9, lifetimeMs: 600_000, bytes: 1e8 },
    runs: 3,
    probe: async () => ({
      ...{ state: 'ready', reason: '', walls: 'namespaces', browser: '', runs: 3, checks: [] },
    }),
  });
  const request = requestSchema.parse({ id: 1, op: 'open', runId: 'twice', allowedSites: [] });
  if (request.op !== 'open') return;
  const opened = await Promise.allSettled([1, 2].map(() => host.open(request, () => undefined)));
  await host.closeAll();
  expect(opened.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(opened[1]).toMatchObject({ reason: { code: 'run_exists' } });
});

it('a peer without the token is cut off in time however it drips', async () => {
  const socket = await knock(300);
  const drip = setInterval(() => socket.write('x'), 50);
  await ended(socket);
  clearInterval(drip);
});

it('a peer without the token is cut off beyond some bytes', async () => {
  const socket = await knock();
  socket.write('x'.repeat(5_000));
  await ended(socket);
});

it('who greets with the token stays', async () => {
  const socket = await knock(300);
  socket.write(hello);
  const answer = await new Promise((resolve) => socket.once('data', resolve));
  expect(JSON.parse(String(answer))).toEqual({ id: 1, result: { protocol: PROTOCOL } });
  await new Promise((resolve) => setTimeout(resolve, 400));
  socket.write(`${JSON.stringify({ id: 2, op: 'read', runId: 'none' })}${' '.repeat(5_000)}\n`);
  const second = await new Promise((resolve) => socket.once('data', resolve));
  expect(JSON.parse(String(second))).toMatchObject({ id: 2, error: { code: 'no_run' } });
  socket.destroy();
});
