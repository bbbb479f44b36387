import { type ChildProcess, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { findChromium, findProgram } from '#server/computer/host/walls/find-programs.ts';
import { type Config, type EmulatedService, loadConfig } from '#server/config.ts';
import type { RunningServer, run } from '#server/main.ts';
import { FolderInUse, lockFolder } from '#server/platform/postgres/folder-lock.ts';
import { buildWeb } from './build/build-web.ts';
import { keepEmulatorSettings } from './emulator-settings.ts';
import { findFreePort } from './free-port.ts';
import { type Emulators, startEmulators } from './start-emulators.ts';
import { listenForStop } from './stop-signal.ts';

const FOLDER_TIMEOUT_MS = 3000;
/** The setting that sends the server to the real service instead of its stand-in. */
const SETTINGS: Record<EmulatedService, string> = {
  gemini: 'GEMINI_API_KEY',
  creem: 'CREEM_API_KEY',
  bagelpay: 'BAGELPAY_API_KEY',
  mail: 'SMTP_URL',
  google: 'GOOGLE_CLIENT_ID',
};
const requests = listenForStop();

/** Serves until asked to stop; answers the exit code. */
async function start(): Promise<number> {
  const config = loadConfig(process.env);
  if (config.databaseUrl === null) await awaitFolder(config.dataDir);
  // The emulators are a process of their own: the server's modules load while they start.
  const [emulators, { run }] = await Promise.all([
    startEmulators(config),
    import('#server/main.ts'),
    buildWeb(() => console.log('正在构建界面… Building the front end…')),
  ]);
  keepEmulatorSettings(config.dataDir, emulators.env);
  if (requests.received()) return 0;
  const server = await runOnFreePort(run, config, { LOG_LEVEL: 'warn', ...process.env, ...emulators.env });
  await emulators.connect(server.url);
  console.log(welcome(server.config, emulators, config.port));
  const setup = setUpWalls();
  const problem = await Promise.race([requests.first, server.broken]);
  if (problem) console.error(problem.message);
  else console.log('正在停止… Stopping…');
  void requests.again.then(() => server.stop());
  setup?.kill();
  await server.stop();
  await emulators.stop();
  return problem ? 1 : 0;
}

/** Waits for a server that is stopping. Throws when the folder stays in use. */
async function awaitFolder(dataDir: string) {
  for (let waited = 0; ; waited += 100) {
    try {
      return lockFolder(dataDir).release();
    } catch (error) {
      if (!(error instanceof FolderInUse) || waited >= FOLDER_TIMEOUT_MS) throw error;
      await sleep(100);
    }
  }
}

/** Installs what the browser of Computer Use lacks here, while everything else serves; the server looks for it each minute. */
function setUpWalls(): ChildProcess | null {
  const { COMPUTER_USE, COMPUTER_HOST, COMPUTER_CHROMIUM, PATH = '' } = process.env;
  if (COMPUTER_USE === 'off' || COMPUTER_HOST || process.platform !== 'linux') return null;
  if (findProgram('bwrap', PATH) && findChromium(COMPUTER_CHROMIUM || null, PATH)) return null;
  return spawn(process.execPath, ['scripts/setup-walls.ts'], { stdio: ['ignore', 'inherit', 'inherit'] });
}

/** On the port that was asked for; without one, on the first free port from 3000 on. */
async function runOnFreePort(
  start: typeof run,
  config: Config,
  env: NodeJS.ProcessEnv,
): Promise<RunningServer> {
  if (env.PORT) return start(env);
  for (let first = config.port; ; ) {
    const port = (await findFreePort(config.host, first, 100)) ?? config.port;
    try {
      return await start({ ...env, PORT: String(port) });
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE') throw error;
      first = port + 1;
    }
  }
}

function welcome(config: Config, emulators: Emulators, wantedPort: number): string {
  const rows = [
    ['地址 Address', styleText('cyan', config.publicUrl)],
    ...(wantedPort === 0 || config.port === wantedPort
      ? []
      : [['', `端口 ${wantedPort} 已被占用 port ${wantedPort} is taken`]]),
    ['数据 Data', config.databaseUrl ? 'DATABASE_URL' : realpathSync(join(config.dataDir, 'postgres'))],
    ...Object.entries(emulators.urls).flatMap(([name, url]) => [
      ['模拟 Emulated', `${name}  ${url}`],
      [
        '',
        styleText(
          'dim',
          `设置 ${SETTINGS[name as EmulatedService]} 即用真实服务 set it for the real service`,
        ),
      ],
    ]),
    ['停止 Stop', 'Ctrl-C'],
  ];
  const lines = rows.map(([label = '', text]) => `  ${styleText('dim', pad(label))}${text}`);
  return `\n  ${styleText('bold', `${config.brand.nameZh} ${config.brand.name}`)}\n\n${lines.join('\n')}\n`;
}

/** Chinese characters take two columns. */
function pad(label: string) {
  const columns = [...label].reduce((sum, character) => sum + (character > '\u2e80' ? 2 : 1), 0);
  return label + ' '.repeat(Math.max(1, 18 - columns));
}

try {
  process.exit(await start());
} catch (error) {
  if (requests.received()) process.exit(0);
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
