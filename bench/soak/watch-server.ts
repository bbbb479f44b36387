import { setTimeout as sleep } from 'node:timers/promises';
import { countDescriptors, memoryMb } from '../process-usage.ts';
import type { Sample } from './judge-soak.ts';

const CONNECT_TRIES = 50;

interface HeapUsage {
  usedSize: number;
  backingStorageSize?: number;
}

/** A look into a running Node process by its inspector. */
export interface Inspected {
  /** Bytes in use after a full collection: what is alive, not what has not been collected yet. */
  liveBytes(): Promise<number>;
  close(): void;
}

/** Connects to the inspector that a process opened on a port of this machine. */
export async function inspect(port: number): Promise<Inspected> {
  const socket = new WebSocket(await debuggerAddress(port));
  const waiting = new Map<number, (result: unknown) => void>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  const call = (method: string) =>
    new Promise<unknown>((resolve) => {
      waiting.set(++last, resolve);
      socket.send(JSON.stringify({ id: last, method }));
    });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  return {
    async liveBytes() {
      await call('HeapProfiler.collectGarbage');
      const { usedSize, backingStorageSize = 0 } = (await call('Runtime.getHeapUsage')) as HeapUsage;
      return usedSize + backingStorageSize;
    },
    close: () => socket.close(),
  };
}

async function debuggerAddress(port: number): Promise<string> {
  for (let left = CONNECT_TRIES; left > 0; left -= 1) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/json/list`);
      const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
      if (target) return target.webSocketDebuggerUrl;
    } catch {
      // It opens with the process.
    }
    await sleep(100);
  }
  throw new Error(`no inspector listens on port ${port}`);
}

/** Takes a sample of the process every `everyMs` until the time `until` of `performance.now()`. */
export async function watchServer(
  { pid, inspected }: { pid: number; inspected: Inspected },
  { everyMs, until }: { everyMs: number; until: number },
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const started = performance.now();
  for (; performance.now() < until; await sleep(everyMs)) {
    samples.push({
      second: (performance.now() - started) / 1_000,
      heapMb: (await inspected.liveBytes()) / 1e6,
      residentMb: memoryMb(pid),
      descriptors: countDescriptors(pid),
    });
  }
  return samples;
}
