import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { behindScript, findChromium } from './find-programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-programs-'));
const own = join(folder, 'chromium');
writeFileSync(own, '#!/bin/sh\n', { mode: 0o755 });
afterAll(() => rmSync(folder, { recursive: true }));

const NOWHERE = join(folder, 'nowhere');
const BINARY = process.execPath;
/** A program of this system: any script, or any that is none. */
function ofSystem(isScript: boolean): string {
  const found = readdirSync('/usr/bin')
    .map((name) => join('/usr/bin', name))
    .find((path) => isProgram(path) && (readFileSync(path).subarray(0, 2).toString() === '#!') === isScript);
  if (!found) throw new Error('this system has no such program');
  return found;
}

function isProgram(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && (found.mode & 0o555) === 0o555 && found.size < 1_000_000;
}

it('what a script of a package starts is started instead of it', () => {
  expect(behindScript(ofSystem(true), [NOWHERE, BINARY])).toBe(BINARY);
});

it('a script of a package is started itself where nothing is behind it', () => {
  expect(behindScript(ofSystem(true), [NOWHERE])).toBe(ofSystem(true));
});

it('a program that is no script, and a script that is no package’s, are started as they are', () => {
  expect(behindScript(ofSystem(false), [BINARY])).toBe(ofSystem(false));
  expect(behindScript(own, [BINARY])).toBe(own);
});

it('a Chromium that is named is taken, and none in its place where it cannot be run', () => {
  expect(findChromium(own, '')).toBe(own);
  expect(findChromium(NOWHERE, process.env.PATH ?? '')).toBeNull();
});
