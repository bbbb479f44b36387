import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Launched, launchBrowser, type Programs, runInside } from './launch-browser.ts';
import { listProcesses } from './process-watch.ts';
import type { Walls } from './walls-found.ts';

const NAMESPACES = ['user', 'pid', 'net', 'ipc', 'uts', 'mnt'] as const;
const OPEN_TIMEOUT_MS = 45_000;
const SETTLE_MS = 15_000;
const insideSchema = z.object({
  reached: z.array(z.string()),
  files: z.array(z.string()),
  processes: z.int(),
  capabilities: z.string(),
});
/** Files in `/run` inside the walls, which we put there. */
const OWN_FILES = new Set([
  '/run/node',
  '/run/relay.ts',
  '/run/inside.ts',
  '/run/proxy.sock',
  '/home/browser',
]);

type Check = Walls['checks'][number];
const GONE: Check = { name: 'namespaces', ok: false, found: 'its processes ended while they were looked at' };

/**
 * Starts what a run starts, and looks from inside and from outside whether the walls stand: namespaces of its own, nothing of this
 * machine to see or to reach, Chromium's sandbox on. Throws where nothing starts at all, which may pass.
 */
export async function probeWalls(
  programs: { bwrap: string | null; chromium: string | null },
  runs: number,
): Promise<Walls> {
  const { bwrap, chromium } = programs;
  const walls: Omit<Walls, 'state' | 'reason'> = { walls: 'namespaces', browser: '', runs, checks: [] };
  const off = (reason: string): Walls => ({ ...walls, state: 'off', reason });
  if (process.platform !== 'linux') return off('the walls are namespaces of Linux; this is another system');
  if (bwrap === null) return off('bubblewrap is missing: install the package "bubblewrap" (it brings bwrap)');
  if (chromium === null)
    return off('Chromium is missing: install the package "chromium", or name one in COMPUTER_CHROMIUM');
  walls.checks.push(...(await lookFromInside({ bwrap, chromium })));
  const { version, checks } = await lookAtBrowser({ bwrap, chromium });
  walls.browser = version;
  walls.checks.push(...checks);
  const failed = walls.checks.filter(({ ok }) => !ok);
  if (failed.length > 0) return off(failed.map(({ name, found }) => `${name}: ${found}`).join('; '));
  return { ...walls, state: 'ready', reason: '' };
}

async function lookFromInside(programs: Programs): Promise<Check[]> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', () => resolve()));
  const { port } = server.address() as { port: number };
  const datagrams: string[] = [];
  const udp = createSocket('udp4', (message) => void datagrams.push(`udp:${message}`)).bind(port, '0.0.0.0');
  await once(udp, 'listening');
  const own = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);
  try {
    const said = await runInside(
      programs,
      [...new Set(['127.0.0.1', ...own])].map((host) => `${host} ${port}`),
    );
    const { reached, files, processes, capabilities } = insideSchema.parse(JSON.parse(said));
    const all = [...reached, ...datagrams];
    const seen = files.filter((path) => !OWN_FILES.has(path));
    return [
      {
        name: 'addresses of this machine',
        ok: all.length === 0,
        found: all.join(' ') || 'none reached',
      },
      {
        name: 'files of this machine',
        ok: seen.length === 0,
        found: seen.slice(0, 5).join(' ') || 'none seen',
      },
      { name: 'processes seen', ok: processes <= 5, found: String(processes) },
      { name: 'capabilities', ok: /^0+$/.test(capabilities), found: capabilities },
    ];
  } finally {
    server.close();
    udp.close();
  }
}

async function lookAtBrowser(programs: Programs): Promise<{ version: string; checks: Check[] }> {
  const rules = { mayReach: () => false, testHosts: {}, maxBytes: 0 };
  const launched = await launchBrowser(programs, rules, 'en');
  try {
    const checks = [...(await lookAtProcesses(launched.pid)), await sandboxPage(launched)];
    return { version: (await launched.browser.version()).replace('/', ' '), checks };
  } finally {
    await launched.kill();
  }
}

/** Checks the processes of the browser once they have started: a renderer enters its sandbox a moment later. */
async function lookAtProcesses(pid: number): Promise<Check[]> {
  const giveUpAt = performance.now() + SETTLE_MS;
  for (;;) {
    // A process that ended while it was looked at is looked for once more.
    const checks = await checkProcesses(await listProcesses(pid)).catch(() => null);
    if (checks?.every(({ ok }) => ok)) return checks;
    if (performance.now() > giveUpAt) return checks ?? [GONE];
    await sleep(100);
  }
}

async function checkProcesses(pids: number[]): Promise<Check[]> {
  const [commands, own] = await Promise.all([
    Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8'))),
    namespacesOf('self'),
  ]);
  const renderers = pids.filter((_, n) => commands[n]?.includes('--type=renderer'));
  const shared = await sharedNamespaces(own, renderers);
  const unsandboxed = commands.filter((command) => command.includes('--no-sandbox')).length;
  return [
    {
      name: 'namespaces',
      ok: renderers.length > 0 && shared.length === 0,
      found: shared.length === 0 ? `${NAMESPACES.join(' ')} are its own` : `shared: ${shared.join(' ')}`,
    },
    { name: 'processes without a sandbox', ok: unsandboxed === 0, found: String(unsandboxed) },
    await filterOf(renderers),
  ];
}

async function namespacesOf(pid: number | 'self'): Promise<string[]> {
  return Promise.all(NAMESPACES.map((name) => readlink(`/proc/${pid}/ns/${name}`)));
}

async function sharedNamespaces(own: string[], pids: number[]): Promise<string[]> {
  const each = await Promise.all(pids.map(namespacesOf));
  return NAMESPACES.filter((_, n) => each.some((found) => found[n] === own[n]));
}

/** A renderer's filter of system calls: mode 2 of proc(5). A headless shell has no page that says so. */
async function filterOf(renderers: number[]): Promise<Check> {
  const statuses = await Promise.all(renderers.map((pid) => readFile(`/proc/${pid}/status`, 'utf8')));
  const modes = statuses.map((status) => /^Seccomp:\s+(\d)/m.exec(status)?.[1] ?? '?');
  const ok = modes.length > 0 && modes.every((mode) => mode === '2');
  return { name: 'filter of system calls', ok, found: `mode ${modes.join(' ')}` };
}

/** The report of Chromium about its own sandbox. */
async function sandboxPage({ browser }: Launched): Promise<Check> {
  const name = "Chromium's sandbox";
  const version = await browser.version();
  const page = await browser.newPage();
  try {
    await page.goto('chrome://sandbox', { timeout: OPEN_TIMEOUT_MS });
    const text = String(await page.evaluate('document.body.innerText'));
    const ok = text.includes('You are adequately sandboxed');
    return { name, ok, found: ok ? 'adequate, as it says' : text.replaceAll(/\s+/g, ' ').slice(0, 200) };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    if (!hasNoSandboxPage(version, said)) return { name, ok: false, found: said.slice(0, 200) };
    return { name, ok: true, found: 'it has no page that says; judged by its system calls' };
  }
}

/** Whether `said`, why `chrome://sandbox` does not open, is that this is a headless shell: that has none of these pages. */
export function hasNoSandboxPage(version: string, said: string): boolean {
  return version.startsWith('HeadlessChrome/') && said.startsWith('net::ERR_INVALID_URL');
}
