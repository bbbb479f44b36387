import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { EmulatedService } from '#server/config.ts';

export interface Emulators {
  /** Settings that send the server to the stand-ins instead of the real services. */
  env: Record<string, string>;
  urls: Partial<Record<EmulatedService, string>>;
  stop(): Promise<void>;
}

const SETTINGS: Record<EmulatedService, (url: string) => Record<string, string>> = {
  gemini: (url) => ({ GEMINI_BASE_URL: url, GEMINI_API_KEY: 'emulator' }),
};

/**
 * Starts the stand-ins for `services` as one process of its own, on free ports. It ends when this process does, however that ends:
 * it holds the other end of its standard input. Nothing is started for an empty list.
 */
export async function startEmulators(services: readonly EmulatedService[]): Promise<Emulators> {
  if (services.length === 0) return { env: {}, urls: {}, stop: async () => {} };
  const child = spawn(process.execPath, ['emulators/main.ts', ...services], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const urls: Emulators['urls'] = JSON.parse(await firstLine(child));
  child.unref();
  const settings = services.map((name) => SETTINGS[name](urls[name] ?? ''));
  return { env: Object.assign({}, ...settings), urls, stop: () => stop(child) };
}

async function firstLine(child: ChildProcess) {
  if (!child.stdout) throw new Error('no output');
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(() => null);
  const line = await Promise.race([once(lines, 'line'), ended]);
  if (line === null) throw new Error('模拟服务未能启动。The emulators did not start.');
  return String(line[0]);
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.ref();
  child.kill('SIGTERM');
  const harder = setTimeout(() => child.kill('SIGKILL'), 3000);
  await ended;
  clearTimeout(harder);
}
