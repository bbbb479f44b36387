import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, setPriority } from 'node:os';

/** Ticks a second of /proc times: the same on every Linux that Node runs on. */
const TICKS = 100;
const NICE = -15;

interface Stat {
  pid: number;
  name: string;
  parent: number;
  /** CPU ticks of the process, and of its children that have ended. */
  ticks: number;
}

/** CPU seconds, user and system, that the process `root` and all beneath it have used so far. */
export function cpuSeconds(root: number): number {
  return processTree(root).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS;
}

function processTree(root: number): Stat[] {
  return treeOf(allProcesses(), [root]);
}

function allProcesses(): Stat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)));
}

function treeOf(stats: readonly Stat[], roots: readonly number[]): Stat[] {
  const tree = new Set(roots);
  for (let size = 0; size < tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of stats) if (tree.has(parent)) tree.add(pid);
  }
  return stats.filter(({ pid }) => tree.has(pid));
}

function readStat(pid: number): Stat[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
    const [parent = 0, times] = [fields[1], fields.slice(11, 15)];
    return [{ pid, name, parent, ticks: times.reduce((sum, one) => sum + one, 0) }];
  } catch {
    return [];
  }
}

/** CPU seconds of the whole machine spent on anything since it started. */
export function machineCpuSeconds(): number {
  const busy = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  return busy / 1000;
}

/** Begins to watch; what it returns says which share of all cores went to anything but this process and all beneath it since. */
export function watchForeign(): () => number {
  const read = () => [machineCpuSeconds() - cpuSeconds(process.pid), performance.now() / 1000] as const;
  const [busy, began] = read();
  return () => {
    const [now, ended] = read();
    return Math.max(0, (now - busy) / availableParallelism() / (ended - began));
  };
}

/** The resident memory of a process now, in MB of 1,000,000 bytes. */
export function memoryMb(pid: number): number {
  return readMemory(pid, 'VmRSS');
}

/** Memory in MB of 1,000,000 bytes of the processes called `name` beneath `root` and of all beneath them; a shared page counts by its share. */
export function memoryBeneathMb(root: number, name: string): number {
  const stats = allProcesses();
  const roots = treeOf(stats, [root]).filter((stat) => stat.name === name);
  const pids = treeOf(
    stats,
    roots.map(({ pid }) => pid),
  );
  return sumShares(pids);
}

/** The same of the process `root` and all beneath it. */
export function treeMemoryMb(root: number): number {
  return sumShares(processTree(root));
}

function sumShares(stats: readonly Stat[]): number {
  return stats.reduce((sum, { pid }) => sum + readShare(pid), 0);
}

function readShare(pid: number): number {
  try {
    const found = /Pss:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'));
    return (Number(found?.[1] ?? 0) * 1024) / 1e6;
  } catch {
    return 0;
  }
}

/** Files and sockets that a process has open. */
export function countDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Forgets the highest memory use of a process so far. */
export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The highest resident memory of a process, in MB of 1,000,000 bytes, since `resetPeakMemory`. */
export function peakMemoryMb(pid: number): number {
  return readMemory(pid, 'VmHWM');
}

function readMemory(pid: number, field: 'VmHWM' | 'VmRSS'): number {
  const found = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  return (Number(found?.[1]) * 1024) / 1e6;
}

/** Puts a process and all beneath it before other work on this machine, where that is allowed. */
export function putFirst(root: number): void {
  for (const { pid } of processTree(root)) {
    try {
      setPriority(pid, NICE);
      writeFileSync(`/proc/${pid}/autogroup`, String(NICE));
    } catch {
      // Without the right to it, the machine has to be quiet by itself.
    }
  }
}
