import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { FolderInUse, type FolderLock, lockFolder } from '#server/platform/postgres/folder-lock.ts';

const SOURCES = ['web', 'contract', 'i18n', 'server/catalogue', 'package-lock.json'];
const CONFIGS = ['vite.config.ts', 'react-router.config.ts'];
/** Settings that are written into the pages. */
const SETTINGS = ['BRAND_NAME', 'BRAND_NAME_ZH', 'BRAND_SLUG', 'SUPPORT_EMAIL'];
const OUTPUT = 'build/client/assets';
const STAMP = 'build/stamp';

/**
 * Builds the front end into `build/client` unless it was built from the same sources and settings. Run from the repository's root.
 * `announce` is called before a build begins. Returns whether it built; throws with the builder's output when it fails.
 */
export async function buildWeb(announce: () => void = () => {}): Promise<boolean> {
  const sources = hashSources();
  if (isBuilt(sources)) return false;
  const lock = await waitForLock('.cache/build');
  try {
    if (isBuilt(sources)) return false;
    announce();
    rmSync(STAMP, { force: true });
    await build();
    mkdirSync('build', { recursive: true });
    writeFileSync(STAMP, sources);
    return true;
  } finally {
    lock.release();
  }
}

function isBuilt(sources: string) {
  return existsSync(OUTPUT) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources;
}

function hashSources() {
  const hash = createHash('sha256');
  const files = [...SOURCES, ...CONFIGS, ...ownImports(CONFIGS)].flatMap(filesUnder);
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  for (const name of SETTINGS) hash.update(`${name}=${process.env[name] ?? ''}\0`);
  return hash.digest('hex');
}

/** The parts of the build that are our own: what the configurations import from `scripts/`, and what that imports. */
function ownImports(files: string[]): string[] {
  const found = new Set(files);
  for (const file of found) {
    const imports = readFileSync(file, 'utf8').matchAll(/from '(\.\/[^']+\.ts)'/g);
    for (const [, path = ''] of imports) found.add(join(dirname(file), path));
  }
  return [...found].filter((file) => !files.includes(file)).sort();
}

function filesUnder(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .sort();
}

async function build() {
  try {
    const options = { env: { ...process.env, NODE_ENV: 'production' }, maxBuffer: 50_000_000 };
    await promisify(execFile)(
      process.execPath,
      ['node_modules/.bin/react-router', 'build', '--logLevel', 'warn'],
      options,
    );
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`界面构建失败。The front end could not be built.\n${stdout}${stderr}`, { cause: error });
  }
}

async function waitForLock(folder: string): Promise<FolderLock> {
  for (;;) {
    try {
      return lockFolder(folder);
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      await sleep(200);
    }
  }
}
