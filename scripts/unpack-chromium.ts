import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';

const PACKAGE = '@sparticuz/chromium@153.0.0';
const exec = promisify(execFile);

/**
 * Gets a headless Chromium, with the few libraries that it needs, from an npm package into `folder`: for an ordinary user on a
 * Linux machine where neither a download of Playwright's nor a package manager helps. Returns the program's path.
 */
export async function unpackChromium(folder: string): Promise<string> {
  const root = resolve(folder);
  mkdirSync(join(root, 'lib'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{ "private": true }');
  const flags = ['install', '--prefix', root, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  await exec('npm', [...flags, '--loglevel=error', PACKAGE], { cwd: root, timeout: 300_000 });
  const unpacked = (name: string) =>
    brotliDecompressSync(readFileSync(join(root, 'node_modules/@sparticuz/chromium/bin', name)));
  writeFileSync(join(root, 'chrome'), unpacked('chromium.br'), { mode: 0o755 });
  // The second one draws without a graphics processor: without it a browser that draws in its own process ends at its first page.
  for (const name of ['al2023.tar', 'swiftshader.tar']) {
    writeFileSync(join(root, name), unpacked(`${name}.br`));
    await exec('tar', ['xf', join(root, name), '-C', root]);
  }
  return writeLauncher(root);
}

/** The system's own libraries come first; the unpacked ones fill in. */
function writeLauncher(root: string): string {
  const launcher = join(root, 'chromium');
  const system = '/usr/lib/x86_64-linux-gnu:/lib/x86_64-linux-gnu:/usr/lib64:/lib64';
  const text = `#!/bin/sh\nLD_LIBRARY_PATH="${system}:${root}/lib" exec "${root}/chrome" "$@"\n`;
  writeFileSync(launcher, text, { mode: 0o755 });
  return launcher;
}
