import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { type Config, loadConfig } from '#server/config.ts';
import { run } from '#server/main.ts';
import { FolderInUse, lockFolder } from '#server/platform/folder-lock.ts';
import { buildWeb } from './build-web.ts';
import { findFreePort } from './free-port.ts';
import { type Emulators, startEmulators } from './start-emulators.ts';
import { listenForStop } from './stop-signal.ts';

const PATIENCE_MS = 3000;
const requests = listenForStop();

/** Serves until asked to stop; answers the exit code. */
async function start(): Promise<number> {
  const config = loadConfig(process.env);
  if (config.databaseUrl === null) await awaitFolder(config.dataDir);
  const port = await choosePort(config);
  const [emulators] = await Promise.all([
    startEmulators(config.emulate),
    buildWeb(() => console.log('正在构建界面… Building the front end…')),
  ]);
  if (requests.received()) return 0;
  const server = await run({ LOG_LEVEL: 'warn', ...process.env, PORT: String(port), ...emulators.env });
  console.log(welcome(server.config, emulators, port !== config.port ? config.port : null));
  const problem = await Promise.race([requests.first, server.broken]);
  if (problem) console.error(problem.message);
  else console.log('正在停止… Stopping…');
  void requests.again.then(() => server.stop());
  await server.stop();
  await emulators.stop();
  return problem ? 1 : 0;
}

/** A server that was just told to stop may still be at it; one that goes on is a reason to refuse. */
async function awaitFolder(dataDir: string) {
  for (let waited = 0; ; waited += 100) {
    try {
      return lockFolder(dataDir).release();
    } catch (error) {
      if (!(error instanceof FolderInUse) || waited >= PATIENCE_MS) throw error;
      await sleep(100);
    }
  }
}

/** The port that was asked for; without one, the next free port after 3000. */
async function choosePort(config: Config): Promise<number> {
  if (process.env.PORT) return config.port;
  return (await findFreePort(config.host, config.port, 100)) ?? config.port;
}

function welcome(config: Config, emulators: Emulators, takenPort: number | null): string {
  const rows = [
    ['地址 Address', styleText('cyan', config.publicUrl)],
    ...(takenPort === null ? [] : [['', `端口 ${takenPort} 已被占用 port ${takenPort} is taken`]]),
    ['数据 Data', config.databaseUrl ? 'DATABASE_URL' : realpathSync(join(config.dataDir, 'postgres'))],
    ...Object.entries(emulators.urls).flatMap(([name, url]) => [
      ['模拟 Emulated', `${name}  ${url}`],
      ['', styleText('dim', `设置 ${name.toUpperCase()}_API_KEY 即用真实服务 set it for the real service`)],
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
