import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_WALLS, PROGRAMS, walled } from '#test/computer/walls.ts';
import { IS_LONG } from '#test/runs.ts';
import { BrowserRun } from './browser-run.ts';
import type { ActionName } from './execute-action.ts';

/** Where `FIELD` is. */
const CORNER = 'position:absolute;left:0;top:0;width:144px;height:90px';
/** Tells its server what happens to it, one thing after the other. */
const PAGE = `<title>Page</title><body style="margin:0;height:4000px">
  <input style="${CORNER}">
  <script>
    let told = Promise.resolve();
    const tell = (what) => (told = told.then(() => fetch('/did?' + encodeURIComponent(what))));
    addEventListener('click', (e) => tell('click ' + e.detail));
    addEventListener('auxclick', (e) => tell('auxclick ' + e.button));
    addEventListener('contextmenu', () => tell('menu'));
    let down = 0;
    addEventListener('mousedown', (e) => { down = e.clientX; tell('down'); });
    addEventListener('mouseup', (e) => tell('up ' + (e.clientX - down)));
    addEventListener('mousemove', (e) => tell('move ' + e.clientX + ' ' + e.clientY));
    addEventListener('scrollend', () => tell('scrolled'));
    addEventListener('input', (e) => tell('input ' + e.target.value));
    addEventListener('keydown', (e) => tell('key ' + (e.ctrlKey ? 'Control+' : '') + e.key));
    addEventListener('keyup', (e) => tell('keyup ' + e.key));
  </script>`;

const FOCUS = `<script>document.querySelector('input, textarea').focus()</script>`;
const TOLD = `oninput="document.title = this.value.replace('\\n', '|')"`;
const PAGES: Record<string, string> = {
  '/page': PAGE,
  '/pay': `<title>Pay</title><input name="user"><input name="card_number" style="color:RED"><div></div><script>
    const [user, card] = document.querySelectorAll('input');
    const root = document.querySelector('div').attachShadow({ mode: 'closed' });
    root.innerHTML = '<select name="expiry"><option></option></select><input autocomplete="one-time-code">';
    const given = new URLSearchParams(location.search);
    user.value = given.get('user');
    card.value = root.lastChild.value = root.querySelector('option').textContent = given.get('secret');
    addEventListener('click', () => { document.title = card.outerHTML + root.lastChild.outerHTML })</script>`,
  '/covered': `<input type="password" style="${CORNER}"><div style="${CORNER};pointer-events:none"></div>`,
  '/note': `<title>Note</title><textarea ${TOLD}></textarea>${FOCUS}`,
  '/name': `<title>Name</title><form action="/pass"><input name="user"></form>${FOCUS}`,
  '/pass': `<title>Pass</title><input type="password" ${TOLD}>${FOCUS}`,
};

type Call = [action: string, args?: object];
interface Case {
  before?: Call[];
  args?: object;
  /** What happens in the page, in order; empty for nothing at all. */
  does?: string[];
  /** Where it is afterwards. */
  url?: string;
  /** How long it takes at least, in milliseconds. */
  ms?: number;
  error?: string;
  /** What lets go again. */
  after?: Call[];
}

/** The middle of the page, and of its field; pixels are the grid's by 1.44 and 0.9. */
const MIDDLE = { x: 500, y: 500 };
const FIELD = { x: 50, y: 50 };
const DOWN = { ...MIDDLE, direction: 'down' };
const BACK = 'http://shop.test/page';

/** Without a case for each action this does not compile. */
const CASES: Record<ActionName, Case> = {
  open_web_browser: { does: [] },
  take_screenshot: { does: [] },
  wait_5_seconds: { does: [], ms: 5_000 },
  wait: { args: { seconds: 0.5 }, does: [], ms: 500 },
  navigate: { args: { url: 'shop.test/other' }, url: 'http://shop.test/other' },
  search: { error: 'denied' },
  go_back: { before: [['navigate', { url: 'shop.test/other' }]], url: BACK },
  go_forward: {
    before: [['navigate', { url: 'shop.test/other' }], ['go_back']],
    url: 'http://shop.test/other',
  },
  click: { args: MIDDLE, does: ['down', 'up 0', 'click 1'] },
  click_at: { args: MIDDLE, does: ['down', 'up 0', 'click 1'] },
  double_click: { args: MIDDLE, does: ['click 1', 'click 2'] },
  triple_click: { args: MIDDLE, does: ['click 1', 'click 2', 'click 3'] },
  middle_click: { args: MIDDLE, does: ['auxclick 1'] },
  right_click: { args: MIDDLE, does: ['menu', 'auxclick 2'] },
  move: { args: { x: 250, y: 100 }, does: ['move 360 90'] },
  hover_at: { args: { x: 250, y: 100 }, does: ['move 360 90'] },
  mouse_down: { args: MIDDLE, does: ['down'], after: [['mouse_up', MIDDLE]] },
  mouse_up: { before: [['mouse_down', MIDDLE]], args: { x: 600, y: 500 }, does: ['up 144'] },
  drag_and_drop: {
    args: { ...MIDDLE, destination_x: 750, destination_y: 500 },
    does: ['down', 'up 360'],
  },
  scroll: { args: { ...DOWN, magnitude: 300 }, does: ['scrolled'] },
  scroll_at: { args: { ...DOWN, magnitude: 300 }, does: ['scrolled'] },
  scroll_document: { args: { direction: 'down' }, does: ['scrolled'] },
  type: { before: [['click', FIELD]], args: { text: '你' }, does: ['input 你'] },
  type_text_at: {
    before: [
      ['click', FIELD],
      ['type', { text: 'a' }],
    ],
    args: { ...FIELD, text: '茶', press_enter: true },
    does: ['click 1', 'key Control+a', 'key Backspace', 'input ', 'input 茶', 'key Enter'],
  },
  key_combination: { args: { keys: 'control+b' }, does: ['key Control+Control', 'key Control+b'] },
  hotkey: { args: { keys: ['Control', 'b'] }, does: ['key Control+Control', 'key Control+b'] },
  press_key: { args: { key: 'ArrowRight' }, does: ['key ArrowRight', 'keyup ArrowRight'] },
  key_down: { args: { key: 'Shift' }, does: ['key Shift'], after: [['key_up', { key: 'Shift' }]] },
  key_up: { before: [['key_down', { key: 'Shift' }]], args: { key: 'Shift' }, does: ['keyup Shift'] },
};

/** What no other test does, and does not wait for long. */
const USUAL = [...(['search', 'mouse_up'] as const)];
const NAMES = IS_LONG ? (Object.keys(CASES) as ActionName[]) : USUAL;

describe.skipIf(NO_WALLS !== null)(walled('an action in a page'), () => {
  let server: Server;
  let run: BrowserRun;
  const did: string[] = [];
  const asked: string[] = [];

  beforeAll(async () => {
    server = createServer(({ url = '' }, response) => {
      if (url.startsWith('/did?')) did.push(decodeURIComponent(url.slice('/did?'.length)));
      response.setHeader('content-type', 'text/html; charset=utf-8');
      const page = PAGES[url.split('?')[0] ?? ''] ?? '<title>Other</title>';
      response.end(`<!doctype html>${page}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.address() as { port: number };
    if (!PROGRAMS) return;
    run = await BrowserRun.open({
      programs: PROGRAMS,
      limits: { memoryBytes: 3e9, lifetimeMs: 1_200_000, bytes: 1e8 },
      request: {
        ...{ runId: 'run', viewport: { width: 1_440, height: 900 }, language: 'zh' },
        ...{ allowedSites: ['shop.test'], testHosts: { 'shop.test': `127.0.0.1:${port}` } },
      },
      tell: (event) => {
        if (event.event !== 'asked') return;
        asked.push(`${event.kind} ${event.site}`);
        run.deny(event.askId);
      },
      resolve: async () => ['93.184.215.14'],
    });
  });
  afterAll(async () => {
    await run?.close('closed');
    server.close();
  });
  beforeEach(async () => {
    await run.act('navigate', { url: 'shop.test/page' });
  });

  it.each(NAMES)('%s does what its name says', async (name) => {
    const { before = [], args = {}, does, url = BACK, ms = 0, error = null, after = [] } = CASES[name];
    for (const [action, given = {}] of before) await run.act(action, given);
    did.length = 0;
    const result = await run.act(name, args);
    expect(result).toMatchObject({ error, url });
    expect(result.ms).toBeGreaterThanOrEqual(ms);
    expect(result.jpeg).not.toBeNull();
    const wanted = new Set(does);
    const told = () => did.filter((what) => wanted.has(what));
    if (does?.length === 0) expect(did).toEqual([]);
    else if (does) await expect.poll(told).toEqual(does);
    if (name === 'mouse_down') expect(did.join()).not.toContain('up');
    if (name === 'search') expect(asked).toEqual(['new_site bing.com']);
    for (const [action, given = {}] of after) await run.act(action, given);
  });

  it.runIf(IS_LONG).each<Call>([
    ['click', FIELD],
    ['drag_and_drop', { ...FIELD, destination_x: FIELD.x, destination_y: FIELD.y }],
    ['drag_and_drop', { ...MIDDLE, destination_x: FIELD.x, destination_y: FIELD.y }],
  ])('a secret field under what lets clicks through is asked for: %s %j', async (action, args) => {
    await run.act('navigate', { url: 'shop.test/covered' });
    expect(await run.act(action, args)).toMatchObject({ error: 'denied', sensitive: true, done: false });
  });

  it.runIf(IS_LONG)('what is let go of over a secret field is asked for, as a drag to it is', async () => {
    await run.act('navigate', { url: 'shop.test/covered' });
    expect(await run.act('mouse_down', MIDDLE)).toMatchObject({ error: null });
    const dropped = await run.act('mouse_up', FIELD);
    expect(dropped).toMatchObject({ error: 'denied', sensitive: true, done: false });
    expect(await run.act('mouse_up', MIDDLE)).toMatchObject({ error: null });
  });

  it('dots stand in a picture for what is in fields that take a secret, and the page is as it was', async () => {
    const draw = async (query: string) => {
      const { jpeg } = await run.act('navigate', { url: `shop.test/pay?${query}` });
      return createHash('sha256').update(String(jpeg)).digest('hex');
    };
    const drawn = await draw('user=bob&secret=4242');
    expect(await draw('user=eve&secret=1881')).not.toBe(drawn);
    expect(await draw('user=bob&secret=1881')).toBe(drawn);
    const { title, jpeg } = await run.act('click', MIDDLE);
    expect(title).toBe('<input name="card_number" style="color:RED"><input autocomplete="one-time-code">');
    expect(jpeg).not.toBeNull();
  });

  it('a line is typed once its field is looked at: Enter may have led to one that takes a secret', async () => {
    await run.act('navigate', { url: 'shop.test/note' });
    expect(await run.act('type', { text: 'one\ntwo' })).toMatchObject({ error: null, title: 'one|two' });
    await run.act('navigate', { url: 'shop.test/name' });
    const typed = await run.act('type', { text: 'bob\nhunter2' });
    expect(typed).toMatchObject({ error: 'denied', sensitive: true, done: true, title: 'Pass' });
    expect(typed.url).toBe('http://shop.test/pass?user=bob');
  });

  it.runIf(IS_LONG)('what is dragged by a held button passes what lies between', async () => {
    const end = { x: 750, y: 500 };
    await run.act('mouse_down', MIDDLE);
    did.length = 0;
    await run.act('move', end);
    const moves = () => did.filter((what) => what.startsWith('move '));
    await expect.poll(moves).toContain('move 1080 450');
    expect(moves().length).toBeGreaterThan(5);
    await run.act('mouse_up', end);
  });
});
