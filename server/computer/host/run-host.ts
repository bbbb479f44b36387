import { setPriority } from 'node:os';
import { z } from 'zod';
import { BrowserHost, HostConnection } from './host-server.ts';
import { readLines } from './line-reader.ts';
import { MAX_RUNS } from './protocol.ts';
import { serveSocket } from './serve-socket.ts';
import { findChromium, findProgram } from './walls/find-programs.ts';
import { probeWalls } from './walls/probe-walls.ts';
import { sweepFolders } from './walls/process-watch.ts';
import type { Walls } from './walls/walls-found.ts';

const MEGABYTE = 1_048_576;
/** Behind the server, and not far: at 19, a busy machine did not start one within a minute (decision 140). */
const NICENESS = 5;

const settingsSchema = z.object({
  runs: z.int().min(1).max(MAX_RUNS).default(2),
  memoryMb: z.int().min(256).max(65_536).default(1_536),
  /** As long as a run may last at the server's default times. */
  lifetimeMinutes: z.int().min(1).max(1_440).default(65),
  megabytes: z.int().min(1).max(100_000).default(300),
  chromium: z.string().nullable().default(null),
  /** `host:port` or a path to listen on; null: the pipes of a parent. */
  listen: z.string().nullable().default(null),
  token: z.string().min(16).nullable().default(null),
});

type Settings = z.infer<typeof settingsSchema>;

// A child is given its settings as an argument; a host of its own reads the environment.
const env = process.env;
const settings = settingsSchema.parse(process.argv[2] ? JSON.parse(process.argv[2]) : fromEnvironment());
setPriority(NICENESS);
sweepFolders();
const host = createHost(settings);
if (settings.listen === null) serveParent(host);
else serveOthers(host, settings.listen, settings.token);

function fromEnvironment(): unknown {
  const whole = (value: string | undefined) => (value ? Number(value) : undefined);
  return {
    runs: whole(env.COMPUTER_RUNS),
    memoryMb: whole(env.COMPUTER_MEMORY_MB),
    chromium: env.COMPUTER_CHROMIUM || null,
    listen: env.COMPUTER_HOST_LISTEN || '127.0.0.1:7171',
    token: env.COMPUTER_HOST_TOKEN || null,
  };
}

function createHost({ runs, memoryMb, lifetimeMinutes, megabytes, chromium }: Settings): BrowserHost {
  const path = env.PATH ?? '/usr/bin:/bin';
  const find = () => ({ bwrap: findProgram('bwrap', path), chromium: findChromium(chromium, path) });
  let walls: Promise<Walls> | null = null;
  return new BrowserHost({
    programs: () => {
      const { bwrap, chromium: browser } = find();
      return bwrap && browser ? { bwrap, chromium: browser } : null;
    },
    limits: {
      memoryBytes: memoryMb * MEGABYTE,
      lifetimeMs: lifetimeMinutes * 60_000,
      bytes: megabytes * MEGABYTE,
    },
    runs,
    probe: async () => {
      walls ??= probeWalls(find(), runs);
      try {
        const found = await walls;
        // What is missing now may be installed by the next call.
        if (found.checks.length === 0) walls = null;
        return found;
      } catch (error) {
        // It may be the moment, such as a machine that is too busy.
        walls = null;
        const reason = `no browser starts behind walls: ${(error as Error).message}`;
        return { state: 'off', reason, walls: 'namespaces', browser: '', runs, checks: [] };
      }
    },
  });
}

/** Ends the host when its parent ends, in whatever way. */
function serveParent(host: BrowserHost) {
  const connection = new HostConnection(host, process.stdout, null);
  const read = readLines((line) => connection.take(line));
  process.on('SIGINT', () => undefined);
  process.stdout.on('error', () => undefined);
  process.stdin.on('data', read);
  process.stdin.once('close', () => void connection.end().finally(() => process.exit(0)));
}

function serveOthers(host: BrowserHost, listen: string, token: string | null) {
  if (token === null)
    throw new Error('COMPUTER_HOST_TOKEN is needed: at least 16 characters, the same as the server has');
  serveSocket(host, listen, token);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void host.closeAll().finally(() => process.exit(0)));
  }
}
