import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { expectGone, findBelow, lookBelow } from '#test/computer/processes.ts';
import { NO_WALLS, PROGRAMS, walled } from '#test/computer/walls.ts';
import { PATIENT, WAIT_TIMEOUT_MS } from '#test/patient.ts';
import { createHostClient, type HostSettings } from '../../client/host-client.ts';
import { wallFlags } from './launch-flags.ts';

const RELAY = fileURLToPath(new URL('./relay.ts', import.meta.url));
const SETTINGS: HostSettings = {
  ...{ address: null, token: null, runs: 1, memoryMb: 2_048, lifetimeMinutes: 5, chromium: null },
};

describe.skipIf(NO_WALLS !== null)(walled('what is left after a kill'), () => {
  let folder: string;
  const started: ChildProcess[] = [];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-lifetimes-'));
    for (const name of ['socket', 'policy']) writeFileSync(join(folder, name), '');
  });

  afterAll(() => {
    for (const child of started) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** What of a run can be killed. */
  const PARTS = ['the host', 'bubblewrap', 'the first process inside', 'the relay', 'the browser'];

  /** Kills one of them, with nothing left then. `browser`: of the process inside. */
  async function killPart(
    which: string,
    {
      parent,
      browser,
      find,
    }: { parent: ChildProcess; browser: number; find(name: string): Promise<number[]> },
  ) {
    const walls = await find(PROGRAMS?.bwrap ?? '');
    const relays = await find('/run/node');
    const victims: Record<string, number | undefined> = {
      ...{ 'the host': parent.pid, bubblewrap: walls[0], 'the first process inside': walls[1] },
      ...{ 'the relay': relays[0], 'the browser': browser },
    };
    const victim = victims[which];
    expect(victim).toBeGreaterThan(1);
    const below = await lookBelow(parent.pid ?? 0);
    expect(below.pids).toContain(browser);
    expect(below.networks).not.toEqual([]);
    if (victim) process.kill(victim, 'SIGKILL');
    await expectGone(below);
    parent.kill('SIGKILL');
  }

  /** Walls as for a browser, with a program inside that does nothing, started by a process of its own. */
  async function startWalls() {
    const paths = {
      ...{ socket: join(folder, 'socket'), policy: join(folder, 'policy'), relay: RELAY },
      ...{ node: process.execPath, chromium: '/usr/bin/sleep', folder: null },
    };
    const flags = JSON.stringify([PROGRAMS?.bwrap, ...wallFlags(paths, ['600'])]);
    const program = `const [file, ...flags] = ${flags};
      require('node:os').setPriority(10);
      require('node:child_process').spawn(file, flags, { stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'] })
        .on('exit', () => process.stdout.write('ended'));`;
    const parent = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(parent);
    const find = (name: string) => findBelow(parent.pid ?? 0, (command) => command.startsWith(name));
    await vi.waitFor(async () => expect((await find('/usr/bin/sleep')).length).toBe(1), PATIENT);
    const [sleeper = 0] = await find('/usr/bin/sleep');
    return { parent, browser: sleeper, find };
  }

  /** A browser as a run has it, started by a process of its own, once it has a page. */
  async function startBrowser() {
    const parent = spawn(process.execPath, ['--input-type=module', '-e', browserProgram()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.push(parent);
    await once(parent.stdout, 'data');
    const find = (name: string) => findBelow(parent.pid ?? 0, (command) => command.startsWith(name));
    const pages = await findBelow(parent.pid ?? 0, (command) => command.includes('--type=renderer'));
    expect(pages).not.toEqual([]);
    const isBrowser = (command: string) =>
      command.includes('--user-data-dir') && !/--type=|relay\.ts|bwrap/.test(command);
    const [browser = 0] = await findBelow(parent.pid ?? 0, isBrowser);
    return { parent, browser, find };
  }

  it.skipIf(!existsSync('/proc/self/autogroup'))(
    'what runs inside gives way to the server also where Linux schedules by sessions',
    async () => {
      const { parent, browser } = await startWalls();
      const group = () => readFileSync(`/proc/${browser}/autogroup`, 'utf8');
      await vi.waitFor(() => expect(group()).toMatch(/ nice 10\n$/), PATIENT);
      parent.kill('SIGKILL');
    },
  );

  it.each(PARTS)('kill -9 of %s leaves no process and no namespace', async (which) => {
    await killPart(which, await startWalls());
  });

  it.each(PARTS)(
    'kill -9 of %s leaves no process and no namespace of a browser with a page',
    async (which) => {
      await killPart(which, await startBrowser());
    },
    8 * WAIT_TIMEOUT_MS,
  );

  it('a server that is killed takes its host and the browser of that along', async () => {
    const server = spawn(process.execPath, ['--input-type=module', '-e', serverProgram()], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    started.push(server);
    const walledIn = () => findBelow(server.pid ?? 0, (command) => command.startsWith('/run/node'));
    await vi.waitFor(async () => expect(await walledIn()).not.toEqual([]), PATIENT);
    const below = await lookBelow(server.pid ?? 0);
    expect(below.networks).not.toEqual([]);
    server.kill('SIGKILL');
    await expectGone(below);
  });
});

/** A host with a browser, in a process that can be killed. */
function browserProgram(): string {
  const from = JSON.stringify(fileURLToPath(new URL('./launch-browser.ts', import.meta.url)));
  return `
    const { launchBrowser } = await import(${from});
    await launchBrowser(${JSON.stringify(PROGRAMS)}, { mayReach: () => false, testHosts: {}, maxBytes: 1e6 }, 'en');
    process.stdout.write('open');
    setInterval(() => {}, 1000);`;
}

/** A server whose host has a browser open, in a process that can be killed. */
function serverProgram(): string {
  const from = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));
  return `
    const { createHostClient } = await import(${from('../../client/host-client.ts')});
    const { createLog } = await import(${from('../../../platform/log.ts')});
    const client = createHostClient(${JSON.stringify(SETTINGS)}, createLog('silent'));
    void client.probe().catch(() => {});
    setInterval(() => {}, 1000);`;
}

describe('a client of the browser host', () => {
  it('says so when a host of its own cannot be reached', async () => {
    const client = createHostClient({ ...SETTINGS, address: '/nowhere/host.sock' }, createLog('silent'));
    await expect(client.probe()).rejects.toThrow('the browser host cannot be reached');
  });
});
