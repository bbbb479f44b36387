import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { MEGABYTE } from '#contract/limits.ts';
import { FileFault, type ProcessLimits, type ReadingLimits } from './reading-rules.ts';
import { RESULT } from './send-result.ts';

const PROGRAM = fileURLToPath(new URL('./run-reader.ts', import.meta.url));
const ROOT = dirname(dirname(dirname(dirname(PROGRAM))));
const READABLE = ['server', 'contract', 'node_modules', 'package.json'].map(
  (name) => `--allow-fs-read=${join(ROOT, name)}`,
);
/**
 * The heap's own bound is above what a process may take in all (`READING_LIMITS.process.memory`, 200 MB), which is watched from
 * here. This bound matters only where /proc is missing. A picture may take more, outside the heap.
 */
const HEAP_FLAGS = ['--max-old-space-size=256', '--max-semi-space-size=8', '--v8-pool-size=1'];
const WATCH_MS = 20;
/** If the server was killed, the kernel ends the reader (SIGXCPU). */
const CPU_LIMIT_SCRIPT = 'ulimit -S -t "$0" && exec "$@"';
/** The kernel's limit comes later than ours, because ours can say which limit it was. */
const KERNEL_GRACE_S = 1;
/** Milliseconds of a tick of /proc: 100 ticks a second on every Linux that Node runs on (proc(5), USER_HZ). */
const TICK_MS = 10;
const MAX_STDERR = 2_000;
/** What a picture may grow by when it is stored anew, in bytes. */
const PICTURE_GROWTH = 32 * MEGABYTE;
/** Signals of a process that its file broke: in a decoder, or out of heap. */
const BROKEN = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

/** What a reader took, as it was seen last, within `WATCH_MS` of its end. */
interface ProcessUsage {
  /** Processor time, in milliseconds. */
  cpuMs: number;
  /** Resident memory at its highest, in bytes. */
  peakMemory: number;
}

export type ReaderUsage = ProcessUsage & { isPicture: boolean };

/** Is called once a reader has ended, however it ended; not where the system has no /proc. */
export type OnUsage = (usage: ReaderUsage) => void;

/** What a reader is to do: read a file, a picture with or without its place, make a picture one that every model takes, or a small square. */
export type ReaderTask = 'read' | 'read-with-place' | 'convert' | 'square';

interface ReaderOrder {
  task: ReaderTask;
  limits: ReadingLimits;
  isPicture: boolean;
  onUsage?: OnUsage | undefined;
  /** Ends the process. */
  signal?: AbortSignal | undefined;
}

interface Ended {
  sent: Buffer;
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
  /** Why it was killed here. */
  killed: string | null;
  /** Null: the system has no /proc. */
  usage: ProcessUsage | null;
}

/**
 * Runs `run-reader.ts` with a task for one file and answers the bytes that it sent. Pictures are decoded by native code, which the walls
 * of Node do not hold; all else runs without it. Throws `file_too_complex` where work, memory or the result is beyond `limits`,
 * `file_unreadable` where the file broke the process, the reason of `signal`, and an Error where it failed otherwise.
 */
export async function startReader(
  bytes: Buffer,
  { task, limits, isPicture, onUsage, signal }: ReaderOrder,
): Promise<Buffer> {
  signal?.throwIfAborted();
  const processLimits = isPicture ? limits.pictureProcess : limits.process;
  const flags = ['--permission', ...READABLE, ...HEAP_FLAGS, ...(isPicture ? ['--allow-addons'] : [])];
  const seconds = String(Math.ceil(processLimits.cpuMs / 1_000) + KERNEL_GRACE_S);
  const program = [process.execPath, ...flags, PROGRAM, task, JSON.stringify(limits)];
  const child = spawn('/bin/sh', ['-c', CPU_LIMIT_SCRIPT, seconds, ...program], {
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    env: { MALLOC_ARENA_MAX: '2' },
    cwd: ROOT,
  });
  // A reader that ended early does not want the rest.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(bytes);
  const end = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await watchReader(child, limits, processLimits, (usage) => onUsage?.({ ...usage, isPicture }));
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** What a reader sends until it ends, within its limits; throws as `startReader` does. */
export async function watchReader(
  child: ChildProcess,
  limits: ReadingLimits,
  processLimits: ProcessLimits,
  onUsage?: (usage: ProcessUsage) => void,
): Promise<Buffer> {
  const ended = await watch(child, limits, processLimits);
  if (ended.usage) onUsage?.(ended.usage);
  return resultOf(ended);
}

async function watch(
  child: ChildProcess,
  limits: ReadingLimits,
  { memory, stepMs, cpuMs: maxCpuMs }: ProcessLimits,
): Promise<Ended> {
  const sent: Buffer[] = [];
  let length = 0;
  let stderr = '';
  let killed: string | null = null;
  const kill = (why: string) => {
    killed ??= why;
    child.kill('SIGKILL');
  };
  const maxLength = 4 * limits.text + limits.bytes + PICTURE_GROWTH;
  const ended = Promise.withResolvers<{ code: number | null; signal: NodeJS.Signals | null }>();
  child.on('error', ended.reject);
  child.on('close', (code, signal) => ended.resolve({ code, signal }));
  // Where no descriptors are left for the pipes there are none, and the error comes a moment later.
  const pipes = child.stdio as ChildProcess['stdio'] | undefined;
  (pipes?.[RESULT] as Readable | null | undefined)?.on('data', (piece: Buffer) => {
    sent.push(piece);
    length += piece.length;
    if (length > maxLength) kill('result');
  });
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    stderr = `${stderr}${piece}`.slice(-MAX_STDERR);
  });
  lowerPriority(child.pid);
  const timer = setTimeout(kill, limits.timeMs, 'time');
  const step = { length: 0, cpuMs: 0 };
  let last: ProcessUsage | null = null;
  const startedAt = performance.now();
  const watcher = setInterval(async () => {
    const usage = await usageOf(child.pid);
    // What has ended and is not fetched yet has no memory any more.
    if (usage) last = { cpuMs: usage.cpuMs, peakMemory: Math.max(usage.peakMemory, last?.peakMemory ?? 0) };
    // After the process ended, elapsed time is not its CPU time.
    if (child.exitCode !== null || child.signalCode !== null) return;
    const { cpuMs, resident } = usage ?? { cpuMs: performance.now() - startedAt, resident: 0 };
    if (length > step.length) Object.assign(step, { length, cpuMs });
    if (resident > memory) kill('memory');
    if (cpuMs > maxCpuMs || cpuMs - step.cpuMs > stepMs) kill('work');
  }, WATCH_MS);
  try {
    const { code, signal } = await ended.promise;
    return { sent: Buffer.concat(sent), code, signal, stderr, killed, usage: last };
  } finally {
    clearTimeout(timer);
    clearInterval(watcher);
  }
}

function resultOf({ sent, code, signal, stderr, killed }: Ended): Buffer {
  if (killed === 'time') throw new Error('the reader took too long');
  if (killed || signal === 'SIGXCPU')
    throw new FileFault('file_too_complex', `beyond the limit of ${killed ?? 'work'}`);
  if (
    signal === 'SIGABRT' ||
    stderr.includes('heap out of memory') ||
    stderr.includes('Array buffer allocation failed')
  )
    throw new FileFault('file_too_complex', 'out of memory');
  if (signal && BROKEN.has(signal)) throw new FileFault('file_unreadable', `the reader ended by ${signal}`);
  if (code !== 0 || signal) throw new Error(`the reader ended with ${signal ?? code}: ${stderr.trim()}`);
  return sent;
}

/** The server answers others first. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already.
  }
}

/** Null where the system does not say (it has no /proc), or the process has ended. */
async function usageOf(pid: number | undefined): Promise<(ProcessUsage & { resident: number }) | null> {
  try {
    const [stat, status] = await Promise.all(
      ['stat', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
    );
    const [user = 0, system = 0] = (stat ?? '')
      .slice((stat ?? '').lastIndexOf(')'))
      .split(' ')
      .slice(12, 14);
    const bytesOf = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status ?? '')?.[1] ?? 0) * 1_024;
    return {
      cpuMs: (Number(user) + Number(system)) * TICK_MS,
      resident: bytesOf('VmRSS'),
      peakMemory: bytesOf('VmHWM'),
    };
  } catch {
    return null;
  }
}
