import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findBelow } from '#test/computer/processes.ts';
import { NO_WALLS, PROGRAMS, walled } from '#test/computer/walls.ts';
import { IS_LONG } from '#test/runs.ts';
import { BrowserRun } from './browser-run.ts';
import type { Asked, HostEvent } from './protocol.ts';

/** How long a page takes that is late. */
const LATE_MS = 700;
const VIEW = { width: 1_440, height: 900 };
const at = (left: number, top: number, width = 300, height = 40) =>
  `style="position:absolute;left:${left}px;top:${top}px;width:${width}px;height:${height}px;margin:0"`;
/** The middle of a box of `at`, on the grid. */
const grid = (left: number, top: number, width = 300, height = 40) => ({
  x: Math.round(((left + width / 2) / VIEW.width) * 1_000),
  y: Math.round(((top + height / 2) / VIEW.height) * 1_000),
});

/** A password field in a shadow tree of a plain element, with the focus. */
function hiddenField(options: string, depth = 1): string {
  return `<div id="h"></div><script>let at = document.getElementById('h');
    for (let n = 0; n < ${depth}; n += 1) {
      const root = at.attachShadow({ ${options} });
      root.append(document.createElement(n === ${depth - 1} ? 'input' : 'div'));
      at = root.firstChild;
    }
    at.type = 'password'; at.focus();
    at.oninput = () => { (parent ?? window).document.title = 'typed' }</script>`;
}

const PAGES: Record<string, string> = {
  '/form': `<title>表单</title><form action="http://shop.test/sent">
    <input name="words" ${at(100, 100)}><input type="password" ${at(100, 200)}>
    <input autocomplete="cc-number" ${at(100, 300)}><button ${at(100, 400)}>Send</button></form>
    <a href="/next" target="_blank" ${at(600, 100)}>next</a>
    <a href="/late" target="_blank" ${at(600, 400)}>late</a>
    <form action="http://other.test/steal" method="post"><button ${at(600, 200)}>Away</button></form>
    <form action="http://friend.test/take"><input type="hidden" name="what" value="loot">
    <button ${at(600, 300)}>Friend</button></form>`,
  '/blob': `<script>const form = '<form action="http://mate.test/take" method="post"><input name="what" value="loot"></form>';
    const page = form + '<script>document.forms[0].submit()</' + 'script>';
    location = URL.createObjectURL(new Blob([page], { type: 'text/html' }))</script>`,
  '/next': '<title>Next</title>',
  '/closed': hiddenField('mode: "closed"'),
  '/closed-in-closed': hiddenField('mode: "closed"', 2),
  '/closed-in-frame': `<iframe srcdoc='${hiddenField('mode: "closed"').replaceAll("'", '&#39;')}'></iframe>`,
  '/names': `<img name="activeElement"><input id="p" type="password"><script>p.focus()</script>`,
  '/broken': `<form ${at(100, 100)}><input name="closest" ${at(600, 600)}></form>`,
  '/late': '<title>Late</title>',
  '/leaves': `<input ${at(100, 100)} onclick="p.focus(); setTimeout(() => { location = 'http://friend.test/takes' }, 1500)">
    <input id="p" autocomplete="one-time-code" ${at(100, 200)}>`,
  '/takes': `<input id="p" autocomplete="one-time-code" oninput="document.title = 'typed'"><script>p.focus()</script>`,
  '/away': `<script>addEventListener('click', () => { location = 'http://10.0.0.1/' })</script>`,
  '/busy': `<form action="/late" method="post"><button ${at(100, 100)}>Send</button></form><script>
    document.querySelector('button').onclick = () => setTimeout(() => {
      for (const end = performance.now() + ${LATE_MS}; performance.now() < end;);
    })</script>`,
  '/tables': `<img name="querySelectorAll"><table><tr><td>Menu</td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr>
    <tr><td>c</td><td>d</td></tr></table><table role="presentation"><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>
    <table><tr><td>one</td></tr><tr><td>column</td></tr></table><table><tr><td>one</td><td>row</td></tr></table>
    <h2>Clothes</h2><table hidden><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table>
    <table><tr><th>商品</th><th>价格</th></tr><tr style="display:none"><td>x</td><td>y</td></tr>
    <tr><td>毛衣<br>=1+1</td><td>¥99</td></tr></table><table><caption>Times</caption><tr><td rowspan="2">Mon</td><td>9</td></tr>
    <tr><td>10</td></tr><tr><td colspan="2"><b>closed</b></td></tr></table>`,
  '/spans': `<table><tr><th rowspan="1000000000">a</th><th colspan="1000000000">b</th><th>c</th></tr><tr><td id="x"></td></tr>
    <tr><td rowspan="0">d</td><td colspan="-5">&lt;img src=x&gt;</td></tr></table>
    <script>x.textContent = 'e\\0\\u0007\\u2028f\\ud800'</script>`,
  '/wide': `<script>const row = '<tr>' + '<td>cell</td>'.repeat(40) + '</tr>';
    document.write('<table>' + row.repeat(300) + '</table>',
      ('<table>' + ('<tr>' + ('<td>' + 'x'.repeat(2000) + '</td>').repeat(30) + '</tr>').repeat(9) + '</table>').repeat(2))</script>`,
  '/dialogs': `<script>alert('one'); document.title = String(confirm('two'))</script>`,
  '/hang': `<button ${at(100, 100)} onclick="for (;;);">hang</button>`,
  '/crowd': `<title>Crowd</title><script>for (let n = 0; n < 100000; n += 1)
    document.body.append(document.createElement('p'))</script>`,
  '/drag': `<div id="box" ${at(100, 100, 100, 100)}></div><script>
    let down = null; addEventListener('mousedown', (e) => { down = e.clientX });
    addEventListener('mouseup', (e) => { document.title = String(e.clientX - down) })</script>`,
  '/scroll': `<div style="height:9000px"></div><script>
    addEventListener('scroll', () => { document.title = String(Math.round(scrollY)) })</script>`,
  '/keys': `<script>addEventListener('keydown', (e) => {
    document.title += (e.ctrlKey ? 'C-' : '') + e.key + ' ' })</script>`,
};

describe.skipIf(NO_WALLS !== null)(walled('a run of a browser'), () => {
  let server: Server;
  let run: BrowserRun;
  const hits: string[] = [];
  const asked: Asked[] = [];
  let frames = 0;
  let answer: (question: Asked) => boolean | Promise<boolean> = () => false;

  beforeAll(async () => {
    server = createServer((request, response) => {
      hits.push(`${request.method} ${request.headers.host}${request.url}`);
      response.setHeader('content-type', 'text/html; charset=utf-8');
      const end = () => response.end(`<!doctype html>${PAGES[request.url ?? ''] ?? '<title>Empty</title>'}`);
      if (request.url === '/late') setTimeout(end, LATE_MS);
      else end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.address() as { port: number };
    const hosts = ['shop.test', 'friend.test', 'mate.test', 'other.test'];
    if (!PROGRAMS) return;
    run = await BrowserRun.open({
      programs: PROGRAMS,
      limits: { memoryBytes: 3e9, lifetimeMs: 600_000, bytes: 1e8 },
      request: {
        ...{
          runId: 'run',
          viewport: VIEW,
          allowedSites: ['shop.test', 'friend.test', 'mate.test'],
          language: 'zh',
        },
        testHosts: Object.fromEntries(hosts.map((host) => [host, `127.0.0.1:${port}`])),
      },
      tell: hear,
      resolve: async () => [],
    });
  });

  afterAll(async () => {
    await run?.close('closed');
    server.close();
  });

  beforeEach(() => {
    hits.length = 0;
    asked.length = 0;
    answer = () => false;
  });

  function hear(event: HostEvent) {
    if (event.event === 'frame') frames += 1;
    if (event.event !== 'asked') return;
    asked.push(event);
    void Promise.resolve(answer(event)).then((yes) =>
      yes ? run.allow(event.site, event.askId) : run.deny(event.askId),
    );
  }

  const open = (path: string) => run.act('navigate', { url: `shop.test${path}` });
  const kinds = () => asked.map(({ kind, site, field }) => [kind, site, field].filter(Boolean).join(' '));

  it('Chinese is typed into a field and sent, without a question within its site', async () => {
    expect(await open('/form')).toMatchObject({ error: null, title: '表单', url: 'http://shop.test/form' });
    const typed = await run.act('type_text_at', { ...grid(100, 100), text: '红毛衣 a', press_enter: true });
    expect(typed.error).toBeNull();
    expect(hits).toContain(`GET shop.test/sent?words=${encodeURIComponent('红毛衣')}+a`);
    expect(asked).toEqual([]);
    expect(
      Buffer.from(typed.jpeg ?? '', 'base64')
        .subarray(0, 2)
        .toString('hex'),
    ).toBe('ffd8');
  });

  it('a password field and a card field are asked for; what is denied is not typed', async () => {
    await open('/form');
    const denied = await run.act('click', grid(100, 200));
    expect(denied).toMatchObject({ error: 'denied', denied: { kind: 'sensitive_field', site: 'shop.test' } });
    await run.act('type_text_at', { ...grid(100, 300), text: '4242' });
    expect(kinds()).toEqual(['sensitive_field shop.test password', 'sensitive_field shop.test card']);
    await run.act('click', grid(100, 400));
    expect(hits).toContain('GET shop.test/sent?words=');
  });

  it.runIf(IS_LONG)(
    'a yes for the field of one page is none for that of another, which came while it was asked for',
    async () => {
      await open('/leaves');
      answer = async ({ site }) => {
        if (site === 'shop.test') await expect.poll(() => hits).toContain('GET friend.test/takes');
        await sleep(LATE_MS);
        return site === 'shop.test';
      };
      const typed = await run.act('type_text_at', { ...grid(100, 100), text: '123456' });
      expect(kinds()).toEqual(['sensitive_field shop.test code', 'sensitive_field friend.test code']);
      expect(typed).toMatchObject({ error: 'denied', url: 'http://friend.test/takes' });
      expect(typed.title).not.toBe('typed');
    },
  );

  it.each(IS_LONG ? ['closed', 'closed-in-closed', 'closed-in-frame', 'names'] : ['closed-in-frame'])(
    'a password field that a page hides is asked for before it is typed into: %s',
    async (page) => {
      await open(`/${page}`);
      const denied = await run.act('type', { text: 'hunter2' });
      expect(denied).toMatchObject({
        error: 'denied',
        denied: { kind: 'sensitive_field', site: 'shop.test' },
      });
      expect(denied).toMatchObject({ sensitive: true, title: `shop.test/${page}` });
    },
  );

  it.runIf(IS_LONG)('what cannot be looked into is asked for as a field that takes a secret', async () => {
    await open('/broken');
    expect(await run.act('click', grid(100, 100))).toMatchObject({ error: 'denied', sensitive: true });
    expect(kinds()).toEqual(['sensitive_field shop.test frame']);
  });

  it.runIf(IS_LONG)('a form to another site is asked for, of an allowed site and by GET too', async () => {
    await open('/form');
    expect(await run.act('click_at', grid(600, 200))).toMatchObject({ error: 'denied' });
    await run.act('click_at', grid(600, 300));
    expect(kinds()).toEqual(['cross_site_form other.test', 'cross_site_form friend.test']);
    expect(hits.filter((hit) => !hit.includes('shop.test'))).toEqual([]);
    await run.act('take_screenshot', {});
  });

  it('a form of a document that a page made itself is one of its site', async () => {
    await open('/blob');
    await expect.poll(() => kinds()).toEqual(['cross_site_form mate.test']);
    expect(asked[0]?.from).toBe('shop.test');
    expect(hits).toEqual(['GET shop.test/blob']);
  });

  it('a name that no server knows is told as such, and nobody is asked about it', async () => {
    expect(await run.act('navigate', { url: 'http://no-such-name.example/' })).toMatchObject({
      error: 'unreachable',
      message: 'no server was found by this name',
    });
    expect(asked).toEqual([]);
  });

  it.runIf(IS_LONG)('what was done is told, wherever its page wants to go then', async () => {
    await open('/away');
    expect(await run.act('click', grid(100, 100))).toMatchObject({ error: 'refused', done: true });
    const opened = await run.act('navigate', { url: 'http://10.0.0.1/' });
    expect(opened).toMatchObject({ error: 'refused', done: false });
    await open('/closed');
    expect(await run.act('type', { text: 'hunter2' })).toMatchObject({ error: 'denied', done: false });
  });

  it('a new site opens once it is allowed', async () => {
    answer = () => true;
    expect(await run.act('navigate', { url: 'http://other.test/' })).toMatchObject({ error: null });
    expect(kinds()).toEqual(['new_site other.test']);
    expect(hits).toContain('GET other.test/');
  });

  it.runIf(IS_LONG)('what opens another tab goes on in the one there is', async () => {
    await open('/form');
    expect(await run.act('click', grid(600, 100))).toMatchObject({
      title: 'Next',
      url: 'http://shop.test/next',
    });
    expect(await run.act('go_back', {})).toMatchObject({ error: null, title: '表单' });
  });

  it.runIf(IS_LONG)(
    'an act is over once the page has come that it opened in another tab, however late',
    async () => {
      await open('/form');
      const clicked = await run.act('click', grid(600, 400));
      expect(clicked).toMatchObject({ error: null, title: 'Late', url: 'http://shop.test/late' });
    },
  );

  it.runIf(IS_LONG)('an act is over once the page has come that a busy page goes to', async () => {
    await open('/busy');
    expect(await run.act('click', grid(100, 100))).toMatchObject({ error: null, title: 'Late' });
  });

  it.runIf(IS_LONG)('dialogs of a page are answered and told', async () => {
    const { dialogs, title } = await open('/dialogs');
    expect(dialogs).toEqual([
      { kind: 'alert', text: 'one' },
      { kind: 'confirm', text: 'two' },
    ]);
    expect(title).toBe('false');
  });

  it.runIf(IS_LONG)('dragging, scrolling and keys arrive in pixels of the page', async () => {
    await open('/drag');
    const to = grid(700, 100, 100, 100);
    const dragged = { ...grid(100, 100, 100, 100), destination_x: to.x, destination_y: to.y };
    expect(Number((await run.act('drag_and_drop', dragged)).title)).toBeCloseTo(600, -1);
    await open('/scroll');
    expect(
      Number((await run.act('scroll_at', { x: 500, y: 500, direction: 'down', magnitude: 400 })).title),
    ).toBeCloseTo(360, -1);
    await open('/keys');
    expect((await run.act('key_combination', { keys: 'control+b' })).title).toContain('C-b');
    expect((await run.act('press_key', { key: 'ArrowDown' })).title).toContain('ArrowDown');
  });

  it.each([
    ['fly', {}, 'unsupported'],
    ['constructor', {}, 'unsupported'],
    ['click', { x: 'left' }, 'bad_arguments'],
    ['click', { x: 5_000, y: 1 }, 'bad_arguments'],
    ['hotkey', { keys: ['Hyper', 'q'] }, 'bad_arguments'],
    ['hotkey', { keys: ['Tab', '7'] }, 'bad_arguments'],
    ['hotkey', { keys: ['Control', 't'] }, 'refused'],
  ])('the action %s %j is answered as %s', async (action, args, error) => {
    expect(await run.act(action, args)).toMatchObject({ error });
  });

  it('no more than fifty inputs wait for their turn, and ten of them that only move about', async () => {
    const move = () => run.input({ kind: 'move', x: 1, y: 1 });
    const press = () => run.input({ kind: 'key', key: 'Shift' });
    const moves = Promise.allSettled(Array.from({ length: 60 }, move));
    const keys = Promise.allSettled(Array.from({ length: 42 }, press));
    const refused = (done: PromiseSettledResult<void>[]) =>
      done.filter(({ status }) => status === 'rejected').length;
    expect([refused(await moves), refused(await keys)]).toEqual([50, 2]);
    await move();
  });

  it('tables of a page are read as they are shown, and what is there for the layout is none', async () => {
    await open('/tables');
    expect((await run.read()).tables).toEqual([
      {
        ...{ heading: 'Clothes', hasHead: true, isCut: false },
        rows: [
          ['商品', '价格'],
          ['毛衣 =1+1', '¥99'],
        ],
      },
      {
        ...{ heading: 'Times', hasHead: false, isCut: false },
        rows: [
          ['Mon', '9'],
          ['', '10'],
          ['closed', ''],
        ],
      },
    ]);
  });

  it('cells that span more than there is give one table, and what they say is text', async () => {
    await open('/spans');
    const { tables } = await run.read();
    expect(tables).toMatchObject([{ isCut: true }]);
    const [head, ...rows] = tables[0]?.rows ?? [];
    expect([head?.length, head?.slice(0, 3)]).toEqual([30, ['a', 'b', '']]);
    expect(rows.map((row) => row.filter((cell) => cell !== ''))).toEqual([
      [expect.stringMatching(/^e.*f/)],
      ['d', '<img src=x>'],
    ]);
  });

  it.runIf(IS_LONG)('tables beyond any bound are cut, all together', async () => {
    await open('/wide');
    const { tables } = await run.read();
    expect(tables[0]).toMatchObject({ isCut: true });
    expect([tables[0]?.rows.length, tables[0]?.rows[0]?.length]).toEqual([200, 30]);
    expect(tables.at(-1)?.isCut).toBe(true);
    const characters = tables.flatMap(({ rows }) => rows.flat()).join('').length;
    expect(characters).toBeGreaterThan(150_000);
    expect(characters).toBeLessThanOrEqual(200_000);
  });

  it.runIf(IS_LONG)('a live picture comes when something moves, and not when nothing does', async () => {
    await open('/scroll');
    await run.screencast(true);
    await sleep(1_500);
    const still = frames;
    await sleep(1_000);
    expect(frames).toBe(still);
    await run.input({ kind: 'scroll', x: 500, y: 500, dx: 0, dy: 300 });
    await expect.poll(() => frames).toBeGreaterThan(still);
    await run.screencast(false);
  });

  it.runIf(IS_LONG)('a page of a hundred thousand nodes is driven', async () => {
    expect(await open('/crowd')).toMatchObject({ error: null, title: 'Crowd' });
  });

  it.runIf(IS_LONG)('a page that hangs is closed, and the run goes on in an empty tab', async () => {
    await open('/hang');
    expect(await run.act('click', grid(100, 100))).toMatchObject({ error: 'page_unresponsive', jpeg: null });
    expect(await open('/next')).toMatchObject({ error: null, title: 'Next' });
  });

  it.runIf(IS_LONG)('a page that crashes is told so, and the run goes on in an empty tab', async () => {
    await open('/form');
    const drawing = await findBelow(run.pid, (command) => command.includes('--type=renderer'));
    expect(drawing).not.toEqual([]);
    for (const pid of drawing) process.kill(pid, 'SIGKILL');
    expect(await run.act('take_screenshot', {})).toMatchObject({
      error: 'page_crashed',
      jpeg: null,
      url: 'about:blank',
    });
    expect(await open('/next')).toMatchObject({ error: null, title: 'Next' });
  });
});
