import { createServer, type Server } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_WALLS, PROGRAMS, walled } from '#test/computer/walls.ts';
import { BrowserRun } from './browser-run.ts';
import type { UserInput } from './protocol.ts';

const at = (top: number) => `style="position:absolute;left:0;top:${top}px;width:300px;height:40px;margin:0"`;
const PAGES: Record<string, string> = {
  '/search': `<form action="/found"><input name="q" ${at(0)}><button ${at(100)}>Go</button></form>`,
  '/sign-in': `<form action="/in"><input name="user" ${at(0)}><input name="pass" type="password" ${at(100)}>
    <input name="card" autocomplete="cc-number" ${at(200)}><input name="note" ${at(300)}><button ${at(400)}>Send</button></form>`,
  '/code': `${[0, 1, 2, 3]
    .map((n) => `<input autocomplete="one-time-code" maxlength="1" ${at(n * 50)}>`)
    .join('')}<script>
      const boxes = [...document.querySelectorAll('input')];
      for (const [n, box] of boxes.entries()) box.oninput = () => n < 3 ? boxes[n + 1].focus()
        : location.assign('/in?code=' + boxes.map((each) => each.value).join(''));</script>`,
  '/name': `<form action="/pass"><input name="user" ${at(0)}></form>`,
  '/pass': `<form action="/one-time"><input name="pass" type="password" autofocus ${at(0)}></form>`,
  '/one-time': '<form action="/in"><input name="code" autocomplete="one-time-code" autofocus></form>',
  '/upload': `<form action="/sent" method="post" enctype="multipart/form-data"><input type="file" name="f" multiple ${at(0)}>
    <button type="button" ${at(100)}>By a script</button><button ${at(200)}>Send</button></form><script>
      const field = document.querySelector('[type=file]');
      field.onchange = () => document.title = 'chosen ' + field.files.length;
      document.querySelector('button').onclick = () => { field.showPicker(); field.click() };</script>`,
  '/frame': `<iframe src="http://bank.test/card" style="position:absolute;left:0;top:0;width:400px;height:200px;border:0"></iframe>`,
  '/pay': `<iframe src="http://bank.test/pay-card" style="position:absolute;left:0;top:0;width:400px;height:100px"></iframe>
    <iframe src="http://bank.test/name" style="position:absolute;left:0;top:100px;width:400px;height:100px"></iframe>`,
  '/pay-card': `<form action="/in"><input name="card" autocomplete="cc-number" ${at(0)}></form>`,
  '/card': `<body style="margin:0"><input id="n" style="width:300px;height:40px">`,
};

describe.skipIf(NO_WALLS !== null)(walled('what a user does in a page'), () => {
  let server: Server;
  let run: BrowserRun;
  const hits: string[] = [];
  /** The address that came with the last picture. */
  let drawn: string | undefined;

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://host');
      hits.push(`${request.method} ${request.headers.host}${request.url} ${await readText(request)}`.trim());
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><title>${pathname}</title>${PAGES[pathname] ?? ''}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.address() as { port: number };
    if (!PROGRAMS) return;
    run = await BrowserRun.open({
      programs: PROGRAMS,
      limits: { memoryBytes: 3e9, lifetimeMs: 600_000, bytes: 1e8 },
      request: {
        ...{ runId: 'run', viewport: { width: 1_440, height: 900 }, language: 'zh' },
        allowedSites: ['shop.test', 'bank.test'],
        testHosts: { 'shop.test': `127.0.0.1:${port}`, 'bank.test': `127.0.0.1:${port}` },
      },
      tell: (event) => {
        if (event.event === 'asked') run.deny(event.askId);
        if (event.event === 'frame') drawn = event.url;
      },
    });
  });
  afterAll(async () => {
    await run?.close('closed');
    server.close();
  });
  beforeEach(() => {
    hits.length = 0;
  });

  const open = (path: string) => run.act('navigate', { url: `shop.test${path}` });
  const click = (top: number): UserInput => ({ kind: 'click', x: 20, y: ((top + 20) / 900) * 1_000 });
  const type = (text: string): UserInput => ({ kind: 'type', text });
  const key = (name: string): UserInput => ({ kind: 'key', key: name });
  async function give(...inputs: UserInput[]) {
    await Promise.all(inputs.map((input) => run.input(input)));
    return run.act('take_screenshot', {});
  }

  it('a click, Chinese text and a key arrive at its site, in their order, and none of it is a secret', async () => {
    await open('/search');
    const { title, url, secrets } = await give(click(0), type('你好'), type(' 茶'), key('Enter'));
    expect(hits).toContain(`GET shop.test/found?q=${encodeURIComponent('你好')}+${encodeURIComponent('茶')}`);
    expect({ title, secrets }).toEqual({ title: '/found', secrets: [] });
    expect(new URL(url).searchParams.get('q')).toBe('你好 茶');
  });

  it('text arrives whole, however many letters of it wait', async () => {
    await open('/search');
    const letters = [...'abcdefghij'.repeat(12)];
    await give(click(0), ...letters.map(type), key('Enter'));
    expect(hits).toContain(`GET shop.test/found?q=${letters.join('')}`);
  });

  it('a picture comes with the address of its page, wherever they went', async () => {
    await open('/search');
    await run.screencast(true);
    await give(click(0), type('tea'), key('Enter'));
    await expect.poll(() => drawn).toBe('http://shop.test/found?q=tea');
    await run.screencast(false);
  });

  it('a key and a button that the model holds down are let go', async () => {
    await open('/search');
    await run.act('key_down', { key: 'Control' });
    await run.act('mouse_down', { x: 500, y: 500 });
    const { title } = await give(click(0), type('ab'), click(100));
    expect({ title, hits }).toEqual({
      title: '/found',
      hits: expect.arrayContaining(['GET shop.test/found?q=ab']),
    });
    await open('/search');
    expect((await run.act('click', { x: 20, y: 20 })).error).toBeNull();
  });

  it('what they type into a password or card field is told as a secret once, as it was sent', async () => {
    await open('/sign-in');
    const letters = [...'hunter3'].map(type);
    const card = [click(200), type('4242 4242')];
    const typed = [click(0), type('me'), click(100), ...letters, key('Backspace'), type('2'), ...card];
    const { secrets } = await give(...typed, click(300), type('a note'), key('Enter'));
    expect(hits).toContain('GET shop.test/in?user=me&pass=hunter2&card=4242+4242&note=a+note');
    expect(secrets).toEqual(['hunter2', '4242 4242']);
    expect((await run.act('take_screenshot', {})).secrets).toEqual([]);
  });

  it('what stands in the field in the end is told too, and where the page is read at once', async () => {
    await open('/sign-in');
    for (const input of [click(100), type('hunter2'), key('Home'), type('my ')]) await run.input(input);
    expect((await run.read()).secrets).toEqual(['hunter2', 'my hunter2', 'my ']);
  });

  it('each line of a text is a secret where its field takes one, to which Enter has led', async () => {
    await open('/name');
    const named = await give(click(0), type('alice\nhunter2'));
    expect(named).toMatchObject({ url: 'http://shop.test/pass?user=alice', secrets: ['hunter2'] });
    await open('/pass');
    const coded = await give(click(0), type('hunter2\n123456'), key('Enter'));
    expect(coded).toMatchObject({ title: '/in', secrets: ['hunter2', '123456'] });
    expect(hits).toContain('GET shop.test/in?code=123456');
  });

  it('a code that a page takes letter by letter and sends by itself is a secret as a whole', async () => {
    await open('/code');
    const { url, secrets } = await give(click(0), ...[...'4815'].map(type));
    expect(url).toBe('http://shop.test/in?code=4815');
    expect(secrets).toContain('4815');
  });

  it('a field for files opens nothing and sends nothing, whoever clicks it', async () => {
    await open('/upload');
    for (const top of [0, 100]) {
      expect(await run.act('click', { x: 20, y: ((top + 20) / 900) * 1_000 })).toMatchObject({ error: null });
      expect((await give(click(top))).title).toBe('/upload');
    }
    expect((await give(click(200))).title).toBe('/sent');
    const sent = hits.find((hit) => hit.startsWith('POST shop.test/sent'));
    expect(sent).toContain('name="f"; filename=""');
    expect(sent?.match(/filename=/g)).toHaveLength(1);
  });

  it('what is typed into a frame that cannot be looked into is a secret', async () => {
    await open('/frame');
    const { secrets } = await give(click(0), type('4242 '), type('4242'));
    expect(secrets).toEqual(['4242 4242']);
  });

  it('a frame of another site that shows a secret is left out of a picture, and keeps the focus', async () => {
    const draw = async (user: string, card: string) => {
      await open('/pay');
      return (await give(click(100), type(user), click(0), type(card))).jpeg ?? '';
    };
    const [one, same, other] = [await draw('bob', '42'), await draw('bob', '18'), await draw('eve', '42')];
    expect([one !== '', same === one, other === one]).toEqual([true, true, false]);
    await give(type('9'), key('Enter'));
    expect(hits).toContain('GET bank.test/in?card=429');
  });
});
