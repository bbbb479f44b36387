import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { watchProcess } from './watch-process.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test('a process whose DATA_DIR was never made finds what else needs the operator', async () => {
  const { deps } = app;
  const config = { ...deps.config, dataDir: join(tmpdir(), randomUUID()) };
  const watch = watchProcess({ ...deps, config }, new Set());
  deps.metrics.upstreamAlerts.inc({ alert: 'upstream_auth', model: 'gemini-flash' });
  expect(await watch.find()).toEqual([{ kind: 'upstream_auth', subject: 'gemini-flash', details: {} }]);
});
