import { describe, expect, it } from 'vitest';
import { NO_WALLS, PROGRAMS, walled } from '#test/computer/walls.ts';
import { probeWalls } from './probe-walls.ts';

it.each([
  [{ bwrap: null, chromium: '/usr/bin/chromium' }, 'bubblewrap is missing'],
  [{ bwrap: '/usr/bin/bwrap', chromium: null }, 'Chromium is missing'],
])('without %j no browser may be driven, and it says what to install', async (programs, reason) => {
  const walls = await probeWalls(programs, 2);
  expect(walls.state).toBe('off');
  expect(walls.reason).toContain(process.platform === 'linux' ? reason : 'another system');
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
  });

  it('a program that is no Chromium proves nothing', async () => {
    await expect(probeWalls({ bwrap: PROGRAMS?.bwrap ?? '', chromium: '/usr/bin/false' }, 2)).rejects.toThrow(
      'the browser does not start',
    );
  });
});
