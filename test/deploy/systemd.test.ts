import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findProgram } from '#server/computer/host/walls/find-programs.ts';
import { MAX_ANSWER_MS, stopMs } from './known-settings.ts';
import { readShipped } from './read-shipped.ts';

const ANALYZE = findProgram('systemd-analyze', process.env.PATH ?? '');
const title = 'the unit of systemd';

it('the unit of systemd gives the server longer to stop than it takes, and answers longer than they may take', () => {
  const text = readShipped('systemd/parley.service', []);
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(text) ?? [];
  const [, deadline] = /^ExecStart=.* SHUTDOWN_DEADLINE_MS=(\d+) /m.exec(text) ?? [];
  expect(Number(seconds) * 1_000).toBeGreaterThan(stopMs(Number(deadline)));
  expect(Number(deadline)).toBeGreaterThan(MAX_ANSWER_MS);
});

describe.skipIf(ANALYZE === null)(ANALYZE ? title : `${title} (skipped: systemd is not installed)`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-systemd-'));
  const unit = join(folder, 'parley.service');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is understood, and walls the server in', () => {
    const text = readShipped('systemd/parley.service', [
      ['/usr/bin/node', process.execPath],
      ['WorkingDirectory=/opt/parley', `WorkingDirectory=${folder}`],
    ]);
    writeFileSync(unit, text);
    const run = (...flags: string[]) =>
      execFileSync(ANALYZE ?? '', flags, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    expect(run('verify', unit)).toBe('');
    // Tenths of systemd's measure, which goes from 0 to 10; above the threshold it exits with 1.
    expect(run('security', '--offline=true', '--threshold=20', unit)).toContain('Overall exposure level');
  });
});
