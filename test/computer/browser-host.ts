import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrowserHost } from '#server/computer/host/host-server.ts';
import { serveSocket } from '#server/computer/host/serve-socket.ts';
import { HOST_TOKEN } from './played-host.ts';
import { PROGRAMS } from './walls.ts';

/**
 * A host of real browsers in this process, and the settings of a server that uses it. It takes the walls for proved, which they are in
 * `probe-walls.test.ts`, and starts no browser until a run does.
 */
export async function startBrowserHost() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-browser-host-'));
  const address = join(folder, 'host.sock');
  const host = new BrowserHost({
    programs: () => PROGRAMS,
    limits: { memoryBytes: 3e9, lifetimeMs: 3_600_000, bytes: 1e8 },
    runs: 1,
    probe: async () => ({
      ...{ state: 'ready', reason: '', walls: 'namespaces', browser: '', runs: 1, checks: [] },
    }),
  });
  const server = serveSocket(host, address, HOST_TOKEN);
  await once(server, 'listening');
  return {
    settings: { COMPUTER_HOST: address, COMPUTER_HOST_TOKEN: HOST_TOKEN },
    async close() {
      await host.closeAll();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
