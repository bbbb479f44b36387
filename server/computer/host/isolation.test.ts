import { createSocket } from 'node:dgram';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { lstatSync, readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp } from '#test/app.ts';
import { ATTACKS, hostileHosts, startAttackSite, startSecret } from '#test/computer/attacks.ts';
import { lookBelow } from '#test/computer/processes.ts';
import { NO_WALLS, PROGRAMS, walled } from '#test/computer/walls.ts';
import { PATIENT } from '#test/patient.ts';
import { IS_LONG } from '#test/runs.ts';
import { BrowserRun } from './browser-run.ts';
import type { Asked, HostEvent } from './protocol.ts';
import { listProcesses } from './walls/process-watch.ts';

const own = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);
/** Addresses that a model does not get to for a reason that others have too. */
const MORE_ADDRESSES = [
  'view-source:http://attack.test/page',
  'chrome://settings',
  'devtools://devtools/bundled/inspector.html',
  'data:text/html,<script>location="http://other.test/"</script>',
  'http://user:word@attack.test/page',
  'http://localhost/',
  'http://2130706433/',
  'https://unknown.example/',
];
const ALLOWED = ['attack.test', 'private.example'];
/** Names of the outside that lie about where they are. */
const LIES: Record<string, string[]> = {
  'private.example': ['127.0.0.1'],
};

/** The sockets in folders that processes see, by device and inode. */
function socketsSeenBy(pids: readonly number[]): string[] {
  const folders = pids.flatMap((pid) => ['run', 'tmp', 'home'].map((name) => `/proc/${pid}/root/${name}`));
  return folders.flatMap((folder) => {
    try {
      const paths = readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`);
      const found = paths.map((path) => lstatSync(path, { throwIfNoEntry: false }));
      return found.flatMap((each) => (each?.isSocket() ? [`${each.dev}:${each.ino}`] : []));
    } catch {
      return [];
    }
  });
}

describe.skipIf(NO_WALLS !== null)(walled('a browser behind its walls'), () => {
  let site: Awaited<ReturnType<typeof startAttackSite>>;
  let secrets: Awaited<ReturnType<typeof startSecret>>[];
  let run: BrowserRun;
  const asked: Asked[] = [];

  beforeAll(async () => {
    site = await startAttackSite(hostileHosts(own));
    const everywhere = await startSecret('0.0.0.0');
    // Ports of the web, where this user may listen there: a host that no rule of ports protects.
    const usual = await Promise.all([80, 443].map((port) => startSecret('0.0.0.0', port).catch(() => null)));
    secrets = [everywhere, ...usual.filter((each) => each !== null)];
    if (PROGRAMS) run = await openRun('isolation');
  });

  afterAll(async () => {
    await run?.close('closed');
    site.close();
    for (const secret of secrets) secret.close();
  });

  async function openRun(runId: string): Promise<BrowserRun> {
    if (!PROGRAMS) throw new Error('there are no walls');
    const opened = await BrowserRun.open({
      programs: PROGRAMS,
      limits: { memoryBytes: 3e9, lifetimeMs: 600_000, bytes: 1e8 },
      request: {
        runId,
        viewport: { width: 1_440, height: 900 },
        allowedSites: ALLOWED,
        testHosts: {
          'attack.test': `127.0.0.1:${site.port}`,
          'other.test': `127.0.0.1:${secrets[0]?.port}`,
        },
        language: 'en',
      },
      tell: (event: HostEvent) => {
        if (event.event !== 'asked') return;
        asked.push(event);
        opened.deny(event.askId);
      },
      resolve: async (name) => LIES[name] ?? ['127.0.0.1'],
    });
    return opened;
  }

  const hits = () => secrets.flatMap((secret) => secret.hits);
  const connections = () => secrets.reduce((sum, secret) => sum + secret.connections(), 0);

  /** Opens a page of the site and waits until all of its attacks were tried. */
  async function attack(path: string, reports: number, by = run) {
    site.reports.length = 0;
    const result = await by.act('navigate', { url: `attack.test${path}` });
    // What the page itself wants is denied, not the way to it.
    expect([null, 'denied']).toContain(result.error);
    await vi.waitFor(() => expect(site.reports.length).toBeGreaterThanOrEqual(reports), PATIENT);
    await by.act('wait', { seconds: 0.5 });
  }

  it.each([
    'file:///etc/passwd',
    'javascript:fetch("http://other.test/")',
    'http://169.254.169.254/latest/meta-data/',
    'http://attack.test:22/',
    'http://private.example/',
    'http://attack.test/redirect?to=http://127.0.0.1/',
    'http://attack.test/redirect?to=http://other.test/',
    ...(IS_LONG ? MORE_ADDRESSES : []),
  ])('a model does not get to %s', async (url) => {
    const result = await run.act('navigate', { url });
    expect(result.error).not.toBeNull();
    expect(result.url).not.toMatch(
      /^(file|chrome|view-source|devtools|data|javascript):(?!\/\/(chrome-error|newtab))/,
    );
    expect(connections()).toBe(0);
  });

  it.runIf(IS_LONG).each<[what: string, base: string]>([
    ['the loopback, as a test host that is not allowed', 'http://other.test'],
    // The proxy refuses these, as it does the addresses of the next test.
    ['the loopback, as a name of an allowed site', 'http://private.example'],
  ])('%s, is reached by no attack of a page', async (_, base) => {
    await attack(`/attacks?to=${encodeURIComponent(base)}`, Object.keys(ATTACKS).length);
    expect(hits()).toEqual([]);
    expect(connections()).toBe(0);
    expect(site.reports).not.toContain('service worker');
  });

  it('no host of this machine and its networks is reached, however it is written', async () => {
    await attack(`/spellings?to=${secrets[0]?.port}`, 1);
    expect(hits()).toEqual([]);
    expect(connections()).toBe(0);
  });

  it.runIf(IS_LONG)('no datagram of WebRTC reaches this machine', async () => {
    const [secret] = secrets;
    if (!secret) throw new Error('there is no secret');
    await attack(`/datagrams?to=${secret.port}`, 1);
    expect(site.reports).toContain('datagrams');
    expect(secret.datagrams()).toBe(0);
    const socket = createSocket('udp4');
    socket.send('one of ours', secret.port, '127.0.0.1', () => socket.close());
    await vi.waitFor(() => expect(secret.datagrams()).toBe(1), PATIENT);
    expect(connections()).toBe(0);
  });

  it('a site that is not allowed is asked for, and what was denied is not asked again', () => {
    const sites = asked.map(({ kind, site: name }) => `${kind} ${name}`);
    expect(new Set(sites)).toEqual(new Set(['new_site other.test']));
    expect(sites.length).toBe(1);
    asked.length = 0;
  });

  it('a download is not kept', async () => {
    await run.act('navigate', { url: 'attack.test/download' });
    const files = (await listProcesses(run.pid)).flatMap((pid) => {
      try {
        return readdirSync(`/proc/${pid}/root/home/browser`, { recursive: true }).map(String);
      } catch {
        return [];
      }
    });
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((name) => name.includes('loot'))).toEqual([]);
  });

  it.runIf(IS_LONG)('of a run beside it neither the way out nor a page is reached', async () => {
    const beside = await openRun('beside');
    try {
      const [own, others] = [await lookBelow(run.pid), await lookBelow(beside.pid)];
      expect(own.networks.filter((name) => others.networks.includes(name))).toEqual([]);
      const [seen, hidden] = [socketsSeenBy(own.pids), socketsSeenBy(others.pids)];
      expect(Math.min(seen.length, hidden.length)).toBeGreaterThan(0);
      expect(seen.filter((socket) => hidden.includes(socket))).toEqual([]);
      await attack('/shared?to=loot', 2, beside);
      expect(site.reports.toSorted()).toEqual(['found word=loot loot', 'heard']);
      await attack('/shared', 1);
      expect(site.reports).toEqual(['found']);
    } finally {
      await beside.close('closed');
    }
  });

  it.runIf(IS_LONG).each([
    ['the loopback', 'localhost'],
    ['a name of an allowed site', 'private.example'],
    ['the name of this machine', hostname()],
  ])('our own API is reached by no attack of a page as %s', async (_, name) => {
    const app = await createTestApp();
    const port = Number(new URL(app.url).port);
    let reached = 0;
    const count = (message: unknown) => {
      if ((message as { socket: Socket }).socket.localPort === port) reached += 1;
    };
    subscribe('net.server.socket', count);
    try {
      const base = `http://${name}:${port}`;
      expect((await run.act('navigate', { url: `${base}/api/catalogue` })).error).not.toBeNull();
      await attack(`/attacks?to=${encodeURIComponent(base)}`, Object.keys(ATTACKS).length);
      expect(reached).toBe(0);
      expect((await app.visit().get('/api/catalogue')).status).toBe(200);
      expect(reached).toBeGreaterThan(0);
    } finally {
      unsubscribe('net.server.socket', count);
      await app.close();
    }
  });

  it.runIf(IS_LONG)(
    'once the site is allowed the same attacks do reach it, so that the attacks are none in name only',
    async () => {
      run.allow('other.test', undefined);
      await attack('/attacks?to=http%3A%2F%2Fother.test', Object.keys(ATTACKS).length);
      expect(new Set(hits().map((hit) => hit.split(/[/?]/)[1])).size).toBeGreaterThan(25);
    },
  );
});
