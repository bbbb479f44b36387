import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Product {
  url: string;
  dataDir: string;
  stop(): Promise<void>;
}

/**
 * Starts the whole product on an empty data folder and a free port, as `npm start` does, with one browser for models, so that a
 * second run waits. Throws what it printed if it ends.
 */
export async function startProduct(): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-pictures-'));
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      COMPUTER_RUNS: '1',
      LOG_LEVEL: 'error',
      NO_COLOR: '1',
      FORCE_COLOR: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  let printed = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    const [url] = /http:\/\/localhost:\d+/.exec(printed) ?? [];
    if (!url) continue;
    child.stdout.resume();
    return { url, dataDir, stop };
  }
  await stop();
  throw new Error(printed);
}
