// Plain JavaScript without dependencies: this runs before anything is installed, on any Node from 20 on.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const NODE = join(MODULES, '.bin/node');
const STAMP = join(MODULES, '.parley-stamp');
// A smaller nursery and fewer helper threads than V8's own choice: 100 MB less under load for the same CPU. Two heaps of malloc
// for all threads (glibc allows eight for each core): 12 MB less. Both so in the Dockerfile.
const MEMORY_FLAGS = ['--max-semi-space-size=8', '--v8-pool-size=1'];
const MALLOC_SETTINGS = { MALLOC_ARENA_MAX: '2' };
const PROGRAMS = {
  start: 'scripts/start.ts',
  dev: 'scripts/dev.ts',
  test: 'scripts/test.ts',
  bench: 'bench/run.ts',
  admin: 'scripts/admin.ts',
  'measure:code': 'scripts/measure-code.ts',
  audit: 'scripts/audit.ts',
  mutants: 'scripts/mutants.ts',
  schema: 'scripts/write-schema.ts',
  screenshots: 'scripts/screenshots.ts',
};

const [command, ...rest] = process.argv.slice(2);
// The end of `postinstall`: the packages are here and mended, whoever asked npm for them.
if (command === 'mark-installed') {
  writeFileSync(STAMP, wanted());
  process.exit();
}
const program = PROGRAMS[command];
if (Number.parseInt(process.versions.node, 10) < 20) {
  fail(
    `需要 Node.js 20 或更高版本，当前是 ${process.version}。\nParley needs Node.js 20 or newer; this is ${process.version}.`,
  );
}
if (!program) fail(`Usage: node scripts/bootstrap.mjs ${Object.keys(PROGRAMS).join('|')}`);
process.chdir(ROOT);
if (!installed()) await install();
run(program, rest);

function fail(text) {
  console.error(text);
  process.exit(1);
}

/** What must be installed: the lock file and what we mend in it, on this platform. */
function wanted() {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
  const patches = readdirSync(join(ROOT, 'patches')).map((name) => join('patches', name));
  for (const file of ['package-lock.json', ...patches]) hash.update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

/** Whether `postinstall` came to its end with just these; a patch that did not apply leaves no stamp. */
function installed() {
  return existsSync(NODE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted();
}

async function install() {
  const unlock = await lockInstall();
  try {
    if (installed()) return;
    const started = Date.now();
    const stopLine = progress(
      '正在安装依赖（仅首次或更新后）… Installing packages (first run or after an update)…',
      started,
    );
    const problem = await npmInstall();
    stopLine();
    if (problem) {
      rmSync(STAMP, { force: true });
      fail(`安装失败，请检查网络后重试。Installing failed; check the network and try again.\n\n${problem}`);
    }
    console.log(`依赖已安装 Packages installed (${Math.round((Date.now() - started) / 1000)} s)`);
  } finally {
    unlock();
  }
}

/** Two commands on a fresh checkout must not install at once; the later one waits. */
async function lockInstall() {
  const lock = join(ROOT, '.cache/install.pid');
  mkdirSync(dirname(lock), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      const beat = setInterval(() => utimesSync(lock, new Date(), new Date()), 3000);
      return () => {
        clearInterval(beat);
        rmSync(lock, { force: true });
      };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!holderLives(lock)) rmSync(lock, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

function holderLives(lock) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > 20_000) return false;
    const pid = Number(readFileSync(lock, 'utf8'));
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function progress(text, started) {
  if (!process.stdout.isTTY) {
    console.log(text);
    return () => {};
  }
  const draw = () => process.stdout.write(`\r${text} ${Math.round((Date.now() - started) / 1000)} s`);
  const timer = setInterval(draw, 1000);
  draw();
  return () => {
    clearInterval(timer);
    process.stdout.write('\r\x1b[K');
  };
}

/** Answers what went wrong, or null. The flags undo settings (production, no scripts) that would leave Node 24 out. */
async function npmInstall() {
  const flags = ['ci', '--include=dev', '--include=optional', '--ignore-scripts=false', '--prefer-offline'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--no-progress'];
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  const [file, ...first] = cli && node && existsSync(node) && !inModules(node) ? [node, cli] : ['npm'];
  const PATH = process.env.PATH.split(delimiter)
    .filter((folder) => !inModules(folder))
    .join(delimiter);
  const child = spawn(file, [...first, ...flags, ...quiet], {
    cwd: ROOT,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const problem = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => resolve(code === 0 ? null : output || `npm ci: ${code}`));
  });
  if (problem === null && spawnSync(NODE, ['--version']).status !== 0)
    return `${NODE} 无法运行 does not run.\n${output}`;
  return problem;
}

/** Node 24 in node_modules may be what runs this: it cannot reinstall itself. */
function inModules(path) {
  return path.includes(`${sep}node_modules${sep}.bin`) || path.startsWith(MODULES + sep);
}

function run(file, flags) {
  const settings =
    ['start', 'dev', 'admin'].includes(command) && existsSync('.env') ? ['--env-file=.env'] : [];
  if (command === 'start') settings.push(...MEMORY_FLAGS);
  const child = spawn(NODE, [...settings, join(ROOT, file), ...flags], {
    cwd: ROOT,
    env: {
      NODE_COMPILE_CACHE: join(ROOT, '.cache/compile'),
      ...(command === 'start' ? MALLOC_SETTINGS : {}),
      ...process.env,
    },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const parent = process.ppid;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const watch = setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 1000);
  if (!process.env.npm_lifecycle_event) clearInterval(watch);
  child.on('error', (error) => fail(`${NODE}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
