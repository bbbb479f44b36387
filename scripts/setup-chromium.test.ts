import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ensureChromium } from './setup-chromium.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-chromium-'));
  vi.stubEnv('PATH', folder);
  vi.stubEnv('CHROMIUM_PATH', '');
  vi.stubEnv('CI', '');
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function program(name: string, text: string) {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}

it('CHROMIUM_PATH wins over what is installed', async () => {
  program('chromium', 'echo Chromium 1.0');
  const given = program('mine', 'echo Chromium 2.0');
  vi.stubEnv('CHROMIUM_PATH', given);
  expect(await ensureChromium()).toBe(given);
});

it('a CHROMIUM_PATH that does not run is refused by name', async () => {
  const given = program('mine', 'exit 1');
  vi.stubEnv('CHROMIUM_PATH', given);
  await expect(ensureChromium()).rejects.toThrow(`CHROMIUM_PATH=${given}`);
});

it('a lean one is the headless shell, where there is one, and else the whole browser', async () => {
  const whole = program('chromium', 'echo Chromium 159.0');
  expect(await ensureChromium(true)).toBe(whole);
  const shell = program('chromium-headless-shell', 'echo Chromium 159.0');
  expect(await ensureChromium(true)).toBe(shell);
  expect(await ensureChromium()).toBe(whole);
});

it('an installed program that does not run is passed over for one that does', async () => {
  program('chromium', 'echo please install the real package; exit 1');
  const chrome = program('google-chrome', 'echo Google Chrome 159.0');
  expect(await ensureChromium()).toBe(chrome);
});
