import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { expectGone, findBelow, lookBelow } from '#test/computer/processes.ts';
import { NO_WALLS, PROGRAMS } from '#test/computer/walls.ts';
import { PATIENT } from '#test/patient.ts';
import { IS_LONG } from '#test/runs.ts';
import { describeWithout } from '#test/skipped.ts';
import { BrowserRun } from '../browser-run.ts';
import { VIEWPORT } from '../protocol.ts';

/** What a browser starts beside itself, by what stands in the commands. */
const PARTS = {
  'what draws its page': '--type=renderer',
  'what puts its picture together': '--type=gpu-process',
  // Files, and the network where that is no part of the browser's first process.
  'what serves its pages': '--type=utility',
};
/** All that the page is drawn of and tries besides comes from a site that is not allowed. */
const PAGE = `<!doctype html><title>Here</title><img src="http://other.test/picture">
  <script>fetch('http://other.test/loot', { mode: 'no-cors' }).catch(() => 0)</script>`;

describeWithout([NO_WALLS ?? false, !IS_LONG && 'only in the long run'], 'a run that loses', () => {
  let server: Server;
  let run: BrowserRun;
  const hits: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      hits.push(`${request.headers.host}`);
      response.setHeader('content-type', 'text/html').end(PAGE);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    if (!PROGRAMS) throw new Error('there are no walls');
    const { port } = server.address() as { port: number };
    const hosts = ['shop.test', 'other.test'].map((host) => [host, `127.0.0.1:${port}`]);
    run = await BrowserRun.open({
      programs: PROGRAMS,
      limits: { memoryBytes: 3e9, lifetimeMs: 600_000, bytes: 1e8 },
      request: {
        ...{ runId: 'run', viewport: VIEWPORT, allowedSites: ['shop.test'], language: 'en' },
        testHosts: Object.fromEntries(hosts),
      },
      tell: (event) => {
        if (event.event === 'asked') run.deny(event.askId);
      },
    });
    hits.length = 0;
  });
  afterEach(() => run.close('closed'));

  it.each(Object.entries(PARTS))('%s goes on by its rules, and leaves nothing', async (_, sign) => {
    const open = (host: string) => run.act('navigate', { url: `${host}/` });
    expect(await open('shop.test')).toMatchObject({ error: null, title: 'Here' });
    const lost = await findBelow(run.pid, (command) => command.includes(sign));
    expect(lost).not.toEqual([]);
    const before = await lookBelow(run.pid);
    for (const pid of lost) process.kill(pid, 'SIGKILL');
    const isDrawn = async () =>
      expect(await open('shop.test')).toMatchObject({ error: null, title: 'Here', jpeg: expect.any(String) });
    await vi.waitFor(isDrawn, PATIENT);
    expect(await open('other.test')).toMatchObject({ error: 'denied' });
    expect(new Set(hits)).toEqual(new Set(['shop.test']));
    const after = await lookBelow(run.pid);
    await run.close('closed');
    const all = {
      pids: [run.pid, ...before.pids, ...after.pids],
      networks: [...before.networks, ...after.networks],
    };
    await expectGone(all);
  });
});
