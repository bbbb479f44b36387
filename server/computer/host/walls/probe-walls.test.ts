import { describe, expect, it } from 'vitest';
import { NO_WALLS, PROGRAMS, walled } from '#test/computer/walls.ts';
import { IS_LONG } from '#test/runs.ts';
import { hasNoSandboxPage, probeWalls } from './probe-walls.ts';

it.each([
  [{ bwrap: null, chromium: '/usr/bin/chromium' }, 'bubblewrap is missing'],
  [{ bwrap: '/usr/bin/bwrap', chromium: null }, 'Chromium is missing'],
])('without %j no browser may be driven, and it says what to install', async (programs, reason) => {
  const walls = await probeWalls(programs, 2);
  expect(walls.state).toBe('off');
  expect(walls.reason).toContain(process.platform === 'linux' ? reason : 'another system');
});

it.each([
  ['HeadlessChrome/156.0.8078.108', 'net::ERR_INVALID_URL at chrome://sandbox', true],
  ['HeadlessChrome/156.0.8078.108', 'Navigation timeout of 45000 ms exceeded', false],
  ['HeadlessChrome/156.0.8078.108', 'Navigating frame was detached', false],
  ['Chrome/156.0.8078.108', 'net::ERR_INVALID_URL at chrome://sandbox', false],
  ['Chrome/156.0.8078.108', 'net::ERR_BLOCKED_BY_ADMINISTRATOR at chrome://sandbox', false],
])('%s that says “%s” of its sandbox: that it has no such page is %s', (version, said, isNone) => {
  expect(hasNoSandboxPage(version, said)).toBe(isNone);
});

describe.skipIf(NO_WALLS !== null)(walled('the proof of the walls'), () => {
  it('the walls are proved from inside and from outside before a browser may be driven', async () => {
    const walls = await probeWalls(PROGRAMS ?? { bwrap: null, chromium: null }, 2);
    expect(walls.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(walls).toMatchObject({ state: 'ready', reason: '' });
    expect(walls.checks.map(({ name }) => name)).toEqual([
      'addresses of this machine',
      'files of this machine',
      'processes seen',
      'capabilities',
      'namespaces',
      'processes without a sandbox',
      'filter of system calls',
      "Chromium's sandbox",
    ]);
    expect(walls.checks.at(-1)?.found).toBe(
      walls.browser.startsWith('HeadlessChrome')
        ? 'it has no page that says; judged by its system calls'
        : 'adequate, as it says',
    );
  });

  it.runIf(IS_LONG)('a program that is no Chromium proves nothing', async () => {
    await expect(probeWalls({ bwrap: PROGRAMS?.bwrap ?? '', chromium: '/usr/bin/false' }, 2)).rejects.toThrow(
      'the browser does not start',
    );
  });
});
