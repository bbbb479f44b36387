import { setTimeout as sleep } from 'node:timers/promises';

/** V8 keeps what it has freed for a while; after this what a process holds can be compared. */
const REST_MS = 3_000;

/**
 * Has a Node process collect its garbage, all of it, through its inspector, which a signal opens (nodejs.org/api/cli.html,
 * `--inspect-port`; chromedevtools.github.io/devtools-protocol, `HeapProfiler.collectGarbage`). It was started with `--inspect-port=<port>`.
 */
export async function collectGarbage(pid: number, port: number): Promise<void> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await debuggerUrl(port));
  try {
    await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
    for (const [id, method] of ['HeapProfiler.enable', 'HeapProfiler.collectGarbage'].entries()) {
      const answered = new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
      socket.send(JSON.stringify({ id, method }));
      await answered;
    }
  } finally {
    socket.close();
  }
  await sleep(REST_MS);
}

async function debuggerUrl(port: number): Promise<string> {
  for (let left = 100; ; left -= 1) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/json`);
      const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
      if (target) return target.webSocketDebuggerUrl;
    } catch (error) {
      if (left === 0) throw error;
    }
    await sleep(50);
  }
}
