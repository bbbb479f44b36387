import type { KeyInput } from 'puppeteer-core';
import { z } from 'zod';
import { isCombination, isOfBrowser, keyOf, keysOf } from './keys.ts';
import { GRID } from './protocol.ts';
import { type Point, pixelOf, type Tab } from './tab.ts';

const MAX_WAIT_SECONDS = 10;
const MAX_TEXT = 4_000;
const SCROLL = 800;
const SEARCH = { zh: 'https://www.bing.com/', en: 'https://www.google.com/' } as const;

const coordinate = z.coerce.number().min(0).max(GRID);
const point = { x: coordinate, y: coordinate };
const direction = z.enum(['up', 'down', 'left', 'right']);
const magnitude = z.coerce.number().min(1).max(10_000).default(SCROLL);
const flag = (fallback: boolean) => z.union([z.boolean(), z.stringbool()]).default(fallback);
const text = z.string().max(MAX_TEXT);
const keyNames = z.union([z.string().min(1).max(60), z.array(z.string().min(1).max(20)).min(1).max(5)]);

/** An unknown action, or arguments that do not fit it; the message is for the model. */
export class ActionFault extends Error {
  readonly code: 'unsupported' | 'bad_arguments' | 'refused' | 'failed';
  constructor(code: ActionFault['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export interface Place {
  tab: Tab;
  viewport: { width: number; height: number };
  testHosts: Readonly<Record<string, string>>;
  language: 'zh' | 'en';
}

type Act = (place: Place, args: unknown) => Promise<void>;

/** The actions of both vocabularies of Gemini's Computer Use, by name (`gemini-2.5-computer-use`, and 3.5-flash and later). */
const ACTIONS = {
  open_web_browser: nothing,
  take_screenshot: nothing,
  wait_5_seconds: () => waitFor(5),
  wait: withArgs(z.object({ seconds: z.coerce.number().min(0).default(1) }), (_, { seconds }) =>
    waitFor(seconds),
  ),
  navigate: withArgs(z.object({ url: z.string().min(1).max(4_000) }), (place, { url }) =>
    place.tab.navigate(addressOf(url, place)),
  ),
  search: ({ tab, language }) => tab.navigate(SEARCH[language]),
  go_back: ({ tab }) => step(tab, -1),
  go_forward: ({ tab }) => step(tab, 1),
  click: clicks('left', 1),
  click_at: clicks('left', 1),
  double_click: clicks('left', 2),
  triple_click: clicks('left', 3),
  middle_click: clicks('middle', 1),
  right_click: clicks('right', 1),
  move: atPoint(({ tab }, { x, y }) => tab.move(x, y)),
  hover_at: atPoint(({ tab }, { x, y }) => tab.move(x, y)),
  mouse_down: atPoint(async ({ tab }, at) => {
    await tab.guardPoint(at);
    await tab.press(at.x, at.y, true);
  }),
  mouse_up: atPoint(async ({ tab }, at) => {
    // What is dragged is dropped here.
    await tab.guardPoint(at);
    await tab.press(at.x, at.y, false);
  }),
  drag_and_drop: withArgs(
    z.object({ ...point, destination_x: coordinate, destination_y: coordinate }),
    async ({ tab, viewport }, args) => {
      const from = pixelOf(args.x, args.y, viewport);
      const to = pixelOf(args.destination_x, args.destination_y, viewport);
      await tab.guardPoint(from);
      await tab.guardPoint(to);
      await tab.drag(from, to);
    },
  ),
  scroll: withArgs(z.object({ ...point, direction, magnitude }), scroll),
  scroll_at: withArgs(z.object({ ...point, direction, magnitude }), scroll),
  scroll_document: withArgs(z.object({ direction }), (place, { direction: to }) =>
    scroll(place, { x: GRID / 2, y: GRID / 2, direction: to, magnitude: SCROLL }),
  ),
  type: withArgs(z.object({ text, press_enter: flag(false) }), ({ tab }, args) =>
    write(tab, args.text, args.press_enter),
  ),
  type_text_at: withArgs(
    z.object({ ...point, text, press_enter: flag(false), clear_before_typing: flag(true) }),
    async ({ tab, viewport }, args) => {
      const at = pixelOf(args.x, args.y, viewport);
      await tab.guardPoint(at);
      await tab.click(at.x, at.y, 'left', 1);
      await tab.guardFocus();
      if (args.clear_before_typing) {
        await tab.keys(['Control', 'a']);
        await tab.keys(['Backspace']);
      }
      await write(tab, args.text, args.press_enter);
    },
  ),
  key_combination: withArgs(z.object({ keys: keyNames }), ({ tab }, { keys }) => pressKeys(tab, keys)),
  hotkey: withArgs(z.object({ keys: keyNames }), ({ tab }, { keys }) => pressKeys(tab, keys)),
  press_key: withArgs(z.object({ key: keyNames }), ({ tab }, { key }) => pressKeys(tab, key)),
  key_down: withArgs(z.object({ key: z.string() }), ({ tab }, { key }) => holdKey(tab, key, true)),
  key_up: withArgs(z.object({ key: z.string() }), ({ tab }, { key }) => holdKey(tab, key, false)),
} satisfies Record<string, Act>;

export type ActionName = keyof typeof ACTIONS;

function isAction(name: string): name is ActionName {
  return Object.hasOwn(ACTIONS, name);
}

/** Carries out one action. Throws `ActionFault`, or what the tab throws. */
export async function executeAction(place: Place, name: string, args: unknown): Promise<void> {
  if (!isAction(name)) throw new ActionFault('unsupported', `unsupported action: ${name.slice(0, 60)}`);
  const act: Act = ACTIONS[name];
  await act(place, args);
}

async function nothing(): Promise<void> {}

function withArgs<Args>(schema: z.ZodType<Args>, act: (place: Place, args: Args) => Promise<void>): Act {
  return (place, given) => {
    const parsed = schema.safeParse(given);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new ActionFault(
        'bad_arguments',
        `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`,
      );
    }
    return act(place, parsed.data);
  };
}

function atPoint(act: (place: Place, at: Point) => Promise<void>): Act {
  return withArgs(z.object(point), (place, { x, y }) => act(place, pixelOf(x, y, place.viewport)));
}

function clicks(button: 'left' | 'middle' | 'right', count: number): Act {
  return atPoint(async ({ tab }, at) => {
    await tab.guardPoint(at);
    await tab.click(at.x, at.y, button, count);
  });
}

async function scroll(
  { tab, viewport }: Place,
  args: { x: number; y: number; direction: z.infer<typeof direction>; magnitude: number },
): Promise<void> {
  const { x, y } = pixelOf(args.x, args.y, viewport);
  const isVertical = args.direction === 'up' || args.direction === 'down';
  const sign = args.direction === 'up' || args.direction === 'left' ? -1 : 1;
  const pixels = sign * (args.magnitude / GRID) * (isVertical ? viewport.height : viewport.width);
  await tab.scroll(x, y, isVertical ? 0 : pixels, isVertical ? pixels : 0);
}

async function write(tab: Tab, what: string, andEnter: boolean): Promise<void> {
  await tab.type(what, { beforeLine: () => tab.guardFocus() });
  if (andEnter) await tab.keys(['Enter']);
}

async function pressKeys(tab: Tab, names: string | string[]): Promise<void> {
  const keys = keysOf(names);
  if (!keys) throw new ActionFault('bad_arguments', `no such key: ${String(names).slice(0, 60)}`);
  if (!isCombination(keys))
    throw new ActionFault('bad_arguments', `only modifier keys can be held: ${keys.join('+')}`);
  refuseOfBrowser(keys);
  await tab.guardFocus(keys);
  await tab.keys(keys);
}

async function holdKey(tab: Tab, name: string, isDown: boolean): Promise<void> {
  const key = keyOf(name);
  if (!key) throw new ActionFault('bad_arguments', `no such key: ${name.slice(0, 60)}`);
  refuseOfBrowser([key]);
  if (isDown) await tab.guardFocus([key]);
  await tab.key(key, isDown);
}

function refuseOfBrowser(keys: readonly KeyInput[]) {
  if (isOfBrowser(keys)) throw new ActionFault('refused', `${keys.join('+')} is not available here`);
}

async function waitFor(seconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.min(seconds, MAX_WAIT_SECONDS) * 1_000));
}

async function step(tab: Tab, by: -1 | 1): Promise<void> {
  if (!(await tab.go(by)))
    throw new ActionFault(
      'failed',
      by < 0 ? 'there is no page to go back to' : 'there is no page to go forward to',
    );
}

/** An address as a model writes it; throws for what is not http(s). */
function addressOf(given: string, { testHosts }: Place): string {
  const plain = given.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(plain) && !/^[^/:]+:\d+(\/|$)/.test(plain);
  const [host = ''] = plain.split(/[/:?#]/);
  const scheme = Object.hasOwn(testHosts, host) ? 'http' : 'https';
  const url = URL.parse(hasScheme ? plain : `${scheme}://${plain}`);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new ActionFault('refused', 'only http and https addresses can be opened');
  if (url.username !== '' || url.password !== '')
    throw new ActionFault('refused', 'the address has a password');
  return url.href;
}
