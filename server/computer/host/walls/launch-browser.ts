import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Browser, type ConnectionTransport, connect, type Page } from 'puppeteer-core';
import { type EgressProxy, type ProxyRules, startEgressProxy } from './egress-proxy.ts';
import { folderBeside } from './find-programs.ts';
import { browserFlags, POLICY, PROFILE, wallFlags } from './launch-flags.ts';

const RELAY = fileURLToPath(new URL('./relay.ts', import.meta.url));
const INSIDE = fileURLToPath(new URL('./probe-inside.ts', import.meta.url));
/** Twice this is what a server waits for, where its host proves the walls first. */
const START_TIMEOUT_MS = 90_000;
/** Bytes of one message of the browser; a picture of the screen is some hundred kB. */
const MAX_MESSAGE = 64 * 1_048_576;
const MAX_SAID = 4_000;
const MAX_PRINTED = 100_000;
/** The names of temporary folders, which a host that was killed leaves behind: the next one deletes them. */
export const FOLDER_PREFIX = 'parley-browser-';

export interface Programs {
  bwrap: string;
  chromium: string;
}

export interface Launched {
  browser: Browser;
  /** The process id of bubblewrap, the root of all processes of the run. */
  pid: number;
  proxy: EgressProxy;
  /** Settles when all processes have ended, with their last output. */
  ended: Promise<string>;
  /** Ends all at once. */
  kill(): Promise<void>;
}

/**
 * Starts one browser behind its walls, with a proxy of its own as the one way out, and speaks to it over a pipe: there is no
 * debugging port. Throws with what it said when it does not start; nothing is left then.
 */
export async function launchBrowser(
  programs: Programs,
  rules: ProxyRules,
  language: 'zh' | 'en',
): Promise<Launched> {
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  const socket = join(folder, 'proxy.sock');
  const policy = join(folder, 'policy.json');
  writeFileSync(policy, JSON.stringify(POLICY));
  const proxy = await startEgressProxy(socket, rules);
  const paths = {
    socket,
    policy,
    relay: RELAY,
    node: process.execPath,
    chromium: programs.chromium,
    folder: folderBeside(programs.chromium),
  };
  const child = spawn(programs.bwrap, wallFlags(paths, browserFlags(language, PROFILE)), {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: {},
  });
  killFirst(child.pid);
  const ended = watch(child).then(async (said) => {
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
    return said;
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    const failed = ended.then((said) => {
      throw new Error(said);
    });
    const late = AbortSignal.timeout(START_TIMEOUT_MS);
    const tooLate = new Promise<never>((_, reject) =>
      late.addEventListener('abort', () => reject(new Error('it took too long'))),
    );
    const options = {
      transport: transportOf(child),
      defaultViewport: null,
      networkEnabled: false,
      issuesEnabled: false,
      protocolTimeout: START_TIMEOUT_MS,
    };
    const browser = await Promise.race([connect(options), failed, tooLate]);
    return { browser, pid: child.pid ?? 0, proxy, ended, kill };
  } catch (error) {
    await kill();
    const said = (await ended) || (error as Error).message;
    throw new Error(`the browser does not start: ${said}`, { cause: error });
  }
}

/** The tab that a browser begins with. Chromium may have pages of its own before it, such as what its address bar shows. */
export async function firstTab(browser: Pick<Browser, 'pages' | 'newPage'>): Promise<Page> {
  const pages = await browser.pages();
  return pages.find((page) => page.target().url() === 'about:blank') ?? browser.newPage();
}

/** Runs `probe-inside.ts` where a browser would run, and answers what it printed. Throws when it does not end well. */
export async function runInside({ bwrap }: Programs, args: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  const [socket, policy] = [join(folder, 'proxy.sock'), join(folder, 'policy.json')];
  for (const path of [socket, policy]) writeFileSync(path, '');
  const paths = { socket, policy, relay: RELAY, node: process.execPath, chromium: '/run/node', folder: null };
  const extra = ['--ro-bind', INSIDE, '/run/inside.ts'];
  try {
    const flags = [...extra, ...wallFlags(paths, ['/run/inside.ts', ...args])];
    const child = spawn(bwrap, flags, { stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'ignore'], env: {} });
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed = `${printed}${text}`.slice(0, MAX_PRINTED);
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
    const said = await watch(child);
    clearTimeout(timer);
    if (child.exitCode !== 0) throw new Error(said || 'what runs inside the walls does not end well');
    return printed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where memory runs out, the kernel takes the browser before the server. */
function killFirst(pid: number | undefined) {
  if (pid) void writeFile(`/proc/${pid}/oom_score_adj`, '1000').catch(() => undefined);
}

function watch(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-MAX_SAID);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(said.trim()));
  });
}

/** The DevTools protocol over descriptors 3 and 4: a zero byte ends each message. A child that breaks it is killed. */
export function transportOf(child: Pick<ChildProcess, 'stdio' | 'kill' | 'once'>): ConnectionTransport {
  const output = child.stdio[3] as Writable;
  const input = child.stdio[4] as Readable;
  let pieces: Buffer[] = [];
  let length = 0;
  const transport: ConnectionTransport = {
    send: (message) => {
      output.write(`${message}\0`);
    },
    close: () => {
      child.kill('SIGKILL');
    },
  };
  // Puppeteer reads it in an async function: what is no message of the protocol must end this browser alone.
  const hand = async (message: string) => transport.onmessage?.(message);
  output.on('error', () => undefined);
  input.on('error', () => undefined);
  input.on('data', (piece: Buffer) => {
    let rest = piece;
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const message = Buffer.concat([...pieces, rest.subarray(0, end)]).toString();
      pieces = [];
      length = 0;
      rest = rest.subarray(end + 1);
      setImmediate(() => void hand(message).catch(() => child.kill('SIGKILL')));
    }
    pieces.push(rest);
    length += rest.length;
    if (length > MAX_MESSAGE) child.kill('SIGKILL');
  });
  child.once('close', () => transport.onclose?.());
  return transport;
}
