import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { createServer } from 'vite';
import { loadConfig } from '#server/config.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { keepEmulatorSettings } from './emulator-settings.ts';
import { findFreePort } from './free-port.ts';
import { startEmulators } from './start-emulators.ts';
import { listenForStop } from './stop-signal.ts';

const SOURCES = ['server', 'contract', 'i18n'];
const API = '^/(api|v1|webhooks|healthz|readyz|metrics)(/|$|\\?)';
/** Lets the server notice that this program was killed. */
const STOP_WITH_PARENT =
  'data:text/javascript,process.on("disconnect",()=>process.kill(process.pid,"SIGTERM"));process.channel.unref()';

async function dev() {
  const requests = listenForStop();
  const config = loadConfig(process.env);
  const postgres = config.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDir: config.dataDir, cacheMb: config.databaseCacheMb });
  const emulators = await startEmulators(config);
  keepEmulatorSettings(config.dataDir, emulators.env);
  const port = await findFreePort('127.0.0.1', 0);
  const server = watchServer({
    LOG_LEVEL: 'warn',
    ...process.env,
    ...emulators.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: config.publicUrl,
    DATABASE_URL: config.databaseUrl ?? postgres?.url,
  });
  const vite = await createServer({
    server: {
      host: config.host,
      port: config.port,
      strictPort: true,
      proxy: { [API]: `http://127.0.0.1:${port}` },
    },
  });
  await vite.listen();
  await emulators.connect(`http://127.0.0.1:${port}`);
  console.log(`\n  ${config.publicUrl}   改动即时生效 changes show at once   Ctrl-C 退出 to stop`);
  console.log(`${Object.entries(emulators.urls).map(showEmulated).join('')}\n`);
  await requests.first;
  await vite.close();
  await server.stop();
  await emulators.stop();
  await postgres?.stop();
}

function showEmulated([name, url]: [name: string, url: string]) {
  return `\n  模拟 Emulated  ${name}  ${url}`;
}

/** Runs the server, again after each change of its sources; one that ended by itself waits for the next change. */
function watchServer(env: NodeJS.ProcessEnv) {
  let child = launch(env);
  let timer: NodeJS.Timeout | undefined;
  let restarting = Promise.resolve();
  const restart = async () => {
    await end(child);
    child = launch(env);
    console.log('服务器已重启 the server was restarted');
  };
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      restarting = restarting.then(restart);
    }, 150);
  };
  const watchers = SOURCES.map((folder) => watch(folder, { recursive: true }, changed));
  const stop = async () => {
    for (const watcher of watchers) watcher.close();
    clearTimeout(timer);
    await restarting;
    await end(child);
  };
  return { stop };
}

function launch(env: NodeJS.ProcessEnv) {
  return spawn(process.execPath, ['--import', STOP_WITH_PARENT, 'server/main.ts'], {
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

try {
  await dev();
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
