import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_WALLS, PROGRAMS, walled } from '#test/computer/walls.ts';
import { BrowserRun } from './browser-run.ts';

const LINKS = `<title>Links</title><style>a{position:absolute;left:0;width:300px;height:50px}</style>
  <a href="/prices.csv" style="top:0">csv</a>
  <a href="/secret" target="_blank" style="top:100px">attachment</a>
  <a href="/page" download="a\u202Egnp.html" style="top:200px">page</a>
  <a href="http://other.test/loot.csv" download="loot.csv" style="top:300px">of another site</a>
  <a id="blob" download="own.csv" style="top:400px">made by the page</a>
  <script>blob.href = URL.createObjectURL(new Blob(['a,b']))</script>`;
const CROWD = `<title>Crowd</title><script>
  for (let n = 0; n < 1000; n += 1) {
    const link = document.createElement('a');
    link.href = '/prices.csv?' + n; link.download = ''; link.click();
  }</script>`;

describe.skipIf(NO_WALLS !== null)(walled('a file that a page offers'), () => {
  let server: Server;
  const open = async (...allowedSites: string[]) => {
    const { port } = server.address() as { port: number };
    if (!PROGRAMS) throw new Error('there are no walls');
    return BrowserRun.open({
      programs: PROGRAMS,
      limits: { memoryBytes: 3e9, lifetimeMs: 600_000, bytes: 1e8 },
      request: {
        ...{ runId: 'run', viewport: { width: 1_440, height: 900 }, language: 'en' },
        allowedSites,
        testHosts: { 'shop.test': `127.0.0.1:${port}`, 'other.test': `127.0.0.1:${port}` },
      },
      tell: (event) => {
        if (event.event === 'asked') run.deny(event.askId);
      },
    });
  };
  let run: BrowserRun;
  const click = (top: number) => run.act('click', { x: 30, y: ((top + 25) / 900) * 1_000 });

  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      const isFile = url?.startsWith('/prices.csv') || url === '/secret' || url === '/loot.csv';
      response.setHeader(
        'content-type',
        url === '/secret' ? 'application/pdf' : isFile ? 'text/csv' : 'text/html',
      );
      if (url === '/secret') response.setHeader('content-disposition', 'attachment; filename="../x.pdf"');
      if (url === '/endless.csv') {
        response.writeHead(200, { 'content-type': 'text/csv', 'content-length': '9999999999999999' });
        response.write('a,b\n');
        return;
      }
      const body = isFile ? 'a,b\n1,2\n' : url === '/crowd' ? CROWD : LINKS;
      response.setHeader('content-length', Buffer.byteLength(body)).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    run = await open('shop.test');
  });
  afterAll(async () => {
    await run?.close('closed');
    server.closeAllConnections();
    server.close();
  });

  it('is noted with its name, its length and its site, once, and the page stays', async () => {
    await run.act('navigate', { url: 'shop.test/' });
    const offered = { name: 'prices.csv', bytes: 8, site: 'shop.test', url: 'http://shop.test/prices.csv' };
    expect(await click(0)).toMatchObject({ error: null, title: 'Links', files: [offered] });
    expect((await click(0)).files).toEqual([]);
    expect((await run.act('navigate', { url: 'shop.test/prices.csv?2' })).error).toBeNull();
  });

  it('is noted from another tab too, and by a name without folders', async () => {
    const { files, title } = await click(100);
    expect(title).toBe('Links');
    expect(files).toMatchObject([{ bytes: 8, url: 'http://shop.test/secret' }]);
    expect(files[0]?.name).not.toMatch(/[/\\]/);
  });

  it('has no length where what its page announces is none', async () => {
    const { files } = await run.act('navigate', { url: 'shop.test/endless.csv' });
    expect(files).toMatchObject([{ bytes: null, url: 'http://shop.test/endless.csv' }]);
    await run.act('navigate', { url: 'shop.test/' });
  });

  it('is none where its site is not allowed, or the page made it itself', async () => {
    expect((await click(300)).files).toEqual([]);
    expect((await click(400)).files).toEqual([]);
  });

  it('changes nothing where a page offers a thousand, nor takes the place of one of another site', async () => {
    await run.close('closed');
    run = await open('shop.test', 'other.test');
    const noted = (await run.act('navigate', { url: 'shop.test/crowd' })).files;
    const take = async () => noted.push(...(await run.act('take_screenshot', {})).files);
    await expect.poll(take).toBeGreaterThan(1);
    noted.push(...(await run.act('wait_5_seconds', {})).files);
    expect(noted).toHaveLength(5);
    const page = await run.act('navigate', { url: 'shop.test/' });
    expect(page).toMatchObject({ error: null, title: 'Links', files: [] });
    expect((await click(300)).files).toMatchObject([{ site: 'other.test', name: 'loot.csv' }]);
    noted.push(...(await run.act('navigate', { url: 'other.test/crowd' })).files);
    await expect.poll(take).toBeGreaterThan(7);
    noted.push(...(await run.act('wait_5_seconds', {})).files);
    expect(noted.map(({ site }) => site).filter((site) => site === 'other.test')).toHaveLength(4);
  });
});
