import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Environment } from '#server/platform/environment.ts';
import { createLog } from '#server/platform/log.ts';
import { readComputerSettings } from '#server/read-computer-settings.ts';
import { type ChildProgram, freePort, startChild, startScript } from '#test/child-program.ts';
import { expectGone, lookBelow } from '#test/computer/processes.ts';
import { NO_WALLS, PROGRAMS } from '#test/computer/walls.ts';
import { PATIENT, WAIT_TIMEOUT_MS } from '#test/patient.ts';
import { IS_LONG } from '#test/runs.ts';
import { describeWithout } from '#test/skipped.ts';
import { createHostClient, type OpenRun } from '../client/host-client.ts';
import { MAX_RUNS } from './protocol.ts';

const PROGRAM = fileURLToPath(new URL('./run-host.ts', import.meta.url));
const MISSING: (string | false)[] = [NO_WALLS ?? false, !IS_LONG && 'only in the long run'];
const TOKEN = 'a-token-of-sixteen';
/** A browser starts meanwhile, a little behind the server, on a machine that may be busy. */
const START = { ...PATIENT, timeout: 6 * WAIT_TIMEOUT_MS };
const TEST_MS = 2 * START.timeout;
const HANDLERS = { asked() {}, withdrawn() {}, frame() {}, closed() {} };

/** The program as an operator starts it. */
function startHost(env: Record<string, string>): ChildProgram {
  const { PATH = '', HOME = '' } = process.env;
  const COMPUTER_CHROMIUM = PROGRAMS?.chromium ?? '';
  return startChild(process.execPath, [PROGRAM], { env: { PATH, HOME, COMPUTER_CHROMIUM, ...env } });
}

/** A server that has a browser open at a host, as far as the host sees it, in a process that can be killed. */
function serverScript(settings: object, run: OpenRun): string {
  return `
    import { createHostClient } from '#server/computer/client/host-client.ts';
    import { createLog } from '#server/platform/log.ts';
    const client = createHostClient(${JSON.stringify(settings)}, createLog('silent'));
    await client.open(${JSON.stringify(run)}, { asked() {}, withdrawn() {}, frame() {}, closed() {} });
    const { error, title } = await client.act('${run.runId}', 'navigate', { url: 'shop.test/' });
    console.log(JSON.stringify({ error, title }));`;
}

it('a server allows no more browsers than a host takes, however many cores there are', () => {
  const read = (COMPUTER_RUNS: string) => {
    const env = new Environment({ COMPUTER_RUNS });
    const { runs } = readComputerSettings(env, false).host;
    env.refuseProblems();
    return runs;
  };
  expect(read('')).toBeLessThanOrEqual(MAX_RUNS);
  expect(read(String(MAX_RUNS))).toBe(MAX_RUNS);
  expect(() => read(String(MAX_RUNS + 1))).toThrow('COMPUTER_RUNS');
});

describeWithout(MISSING, 'a host of its own, over TCP', () => {
  let site: Server;
  let program: ChildProgram;
  let address = '';
  beforeAll(async () => {
    site = createServer((_, response) => response.end('<!doctype html><title>Shop</title>'));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    address = `127.0.0.1:${await freePort()}`;
    const env = { COMPUTER_HOST_LISTEN: address, COMPUTER_HOST_TOKEN: TOKEN, COMPUTER_RUNS: '1' };
    program = startHost(env);
    const client = connect();
    const isReady = async () => expect(await client.probe()).toMatchObject({ state: 'ready', runs: 1 });
    await vi.waitFor(isReady, START);
    await client.stop();
  }, TEST_MS);
  afterAll(() => {
    program.process.kill('SIGKILL');
    site.close();
  });

  const settings = (token: string | null = TOKEN) => ({
    ...{ address, token, runs: 1, memoryMb: 1, lifetimeMinutes: 1, chromium: null },
  });
  const connect = (token?: string | null) => createHostClient(settings(token), createLog('silent'));
  const below = () => lookBelow(program.process.pid ?? 0);
  function runOf(runId: string): OpenRun {
    const { port } = site.address() as { port: number };
    const testHosts = { 'shop.test': `127.0.0.1:${port}` };
    return { runId, allowedSites: ['shop.test'], testHosts, language: 'en' };
  }

  it.each(['another-token-of-it', null])('refuses the token %j', async (token) => {
    await expect(connect(token).probe()).rejects.toThrow('cannot be reached');
    await expect(connect(token).open(runOf('none'), HANDLERS)).rejects.toThrow('cannot be reached');
    expect((await below()).pids).toEqual([]);
  });

  it('drives a browser for a server, and keeps nothing of one that is killed', {
    timeout: TEST_MS,
  }, async () => {
    const server = startScript(serverScript(settings(), runOf('one')));
    const said = await server.line((line) => line.startsWith('{'));
    expect(JSON.parse(said)).toEqual({ error: null, title: 'Shop' });
    const client = connect();
    await expect(client.open(runOf('two'), HANDLERS)).rejects.toMatchObject({ code: 'busy' });
    const ofServer = await below();
    expect(ofServer.networks).not.toEqual([]);
    server.process.kill('SIGKILL');
    await expectGone(ofServer);
    await vi.waitFor(() => client.open(runOf('two'), HANDLERS), START);
    expect(await client.act('two', 'navigate', { url: 'shop.test/' })).toMatchObject({ title: 'Shop' });
    await client.stop();
  });

  it('ends in order, with the browsers that are open', { timeout: TEST_MS }, async () => {
    const client = connect();
    await vi.waitFor(() => client.open(runOf('three'), HANDLERS), START);
    const all = await below();
    expect(all.networks).not.toEqual([]);
    program.process.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    await expectGone(all);
  });

  it('does not start without a token', async () => {
    const other = startHost({ COMPUTER_HOST_LISTEN: `127.0.0.1:${await freePort()}` });
    expect(await other.ended).toBe(1);
    expect(other.output()).toContain('COMPUTER_HOST_TOKEN is needed');
  });
});
