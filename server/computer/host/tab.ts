import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, KeyInput, Page } from 'puppeteer-core';
import { type Field, inspectFocus, inspectPoint, readSecretField } from './inspect-field.ts';
import { canWrite } from './keys.ts';
import { PageCrashed, PageHangs, PageWatch } from './page-watch.ts';
import { GRID, type VIEWPORT } from './protocol.ts';
import type { Questions } from './questions.ts';
import type { RequestGate } from './request-gate.ts';
import { SecretCover } from './secret-cover.ts';
import { siteOfDocument, type TestHosts } from './site-rules.ts';
import type { SecretField } from './typed-secrets.ts';
import { firstTab } from './walls/launch-browser.ts';

/** A browser gives way to the server, so that a page that is well may take seconds on a busy machine. */
const INPUT_TIMEOUT_MS = 15_000;
const NAVIGATION_TIMEOUT_MS = 30_000;
const PICTURE_TIMEOUT_MS = 12_000;
const LOOK_TIMEOUT_MS = 4_000;
/** Pause before a page that navigates meanwhile is inspected once more. */
const RETRY_MS = 200;
const MAX_URL = 2_000;
const DRAG_STEPS = 12;
/** Longer text is inserted as a whole, as an input method does; shorter text is typed key by key. */
const TYPED_LENGTH = 300;
/** As many keys have the time of one input. */
const KEYS_AT_ONCE = 20;
/** Further lines of one text before which the page settles: no form has more steps to which Enter leads. */
const MAX_SETTLED_LINES = 10;

/** Thrown when the user refuses what an action needs. */
export class Denied extends Error {}
/** Thrown when a URL cannot be opened. */
export class Unreachable extends Error {}

export interface TabOptions {
  browser: Browser;
  gate: RequestGate;
  questions: Questions;
  testHosts: TestHosts;
  viewport: { width: number; height: number };
}

/** The one tab of a run: what can be done in it, in pixels of the grid, each act bounded in time. */
export class Tab {
  readonly #options: TabOptions;
  readonly watch: PageWatch;
  #page: Page;
  #session: CDPSession;
  #id = '';
  /** Kinds of secret fields that the user has allowed in this document. */
  #fields = new Set<Field>();
  #wasSensitive = false;
  #hasActed = false;
  /** Keys and the button that an action holds down. */
  readonly #held = new Set<KeyInput>();
  #isPressed = false;

  private constructor(options: TabOptions, watch: PageWatch, page: Page, session: CDPSession) {
    this.#options = options;
    this.watch = watch;
    this.#page = page;
    this.#session = session;
  }

  static async open(options: TabOptions): Promise<Tab> {
    const page = await firstTab(options.browser);
    const watch = new PageWatch(() => options.questions.isWaiting);
    const tab = new Tab(options, watch, page, await page.createCDPSession());
    await tab.#attach();
    return tab;
  }

  get session(): CDPSession {
    return this.#session;
  }

  /** The id of the tab as a target, and of its main frame. */
  get id(): string {
    return this.#id;
  }

  /** The address of the page, as last reported by the browser. */
  get url(): string {
    return this.#page.url().slice(0, MAX_URL);
  }

  /** A new empty tab in place of one that hangs or broke. */
  async replace(): Promise<void> {
    const broken = this.#page;
    this.#page = await this.#options.browser.newPage();
    this.#session = await this.#page.createCDPSession();
    this.#held.clear();
    this.#isPressed = false;
    await this.#attach();
    const old = await broken.createCDPSession().catch(() => null);
    await Promise.race([old?.send('Page.crash').catch(() => undefined), sleep(500)]);
    await Promise.race([broken.close().catch(() => undefined), sleep(2_000)]);
  }

  async navigate(url: string): Promise<void> {
    const { errorText, isDownload } = await this.watch.within(
      NAVIGATION_TIMEOUT_MS,
      this.#session.send('Page.navigate', { url }),
    );
    if (errorText && !isDownload) throw new Unreachable(errorText);
  }

  /** Goes back (-1) or forward (1) in the history. Returns false where there is no such page. */
  async go(step: -1 | 1): Promise<boolean> {
    const { currentIndex, entries } = await this.#send(this.#session.send('Page.getNavigationHistory'));
    const entry = entries[currentIndex + step];
    if (!entry) return false;
    await this.#send(this.#session.send('Page.navigateToHistoryEntry', { entryId: entry.id }));
    return true;
  }

  async click(x: number, y: number, button: 'left' | 'middle' | 'right', count: number): Promise<void> {
    await this.#send(this.#page.mouse.click(x, y, { button, count }));
  }

  /** Moves the mouse. With a button held it goes in steps, as a hand does, so that what is dragged passes over what lies between. */
  async move(x: number, y: number, steps = this.#isPressed ? DRAG_STEPS : 1): Promise<void> {
    await this.#send(this.#page.mouse.move(x, y, { steps }));
  }

  async press(x: number, y: number, isDown: boolean): Promise<void> {
    await this.move(x, y);
    await this.#send(isDown ? this.#page.mouse.down() : this.#page.mouse.up());
    this.#isPressed = isDown;
  }

  async scroll(x: number, y: number, deltaX: number, deltaY: number): Promise<void> {
    await this.move(x, y);
    await this.#send(this.#page.mouse.wheel({ deltaX, deltaY }));
  }

  async drag(from: Point, to: Point): Promise<void> {
    const { mouse } = this.#page;
    await this.move(from.x, from.y);
    await this.#send(mouse.down());
    await this.#send(mouse.move(to.x, to.y, { steps: DRAG_STEPS }));
    await this.#send(mouse.up());
  }

  /** Types a text, line by line: Enter between two lines may lead to another field. */
  async type(text: string, { beforeLine, beforeEnter }: Typing): Promise<void> {
    const { keyboard } = this.#page;
    const isShort = text.length <= TYPED_LENGTH;
    let settled = 0;
    for (const [n, line] of text.split(/\r\n|[\r\n]/).entries()) {
      if (n > 0) {
        await beforeEnter?.();
        await this.#send(keyboard.press('Enter'));
        if (line === '') continue;
        settled += 1;
        if (settled <= MAX_SETTLED_LINES) await this.watch.settle();
      }
      await beforeLine(line);
      const letters = isShort ? [...line] : [];
      for (let first = 0; first < letters.length; first += KEYS_AT_ONCE)
        await this.#send(keyboard.type(letters.slice(first, first + KEYS_AT_ONCE).join('')));
      if (!isShort && line !== '') await this.#send(keyboard.sendCharacter(line));
    }
  }

  async keys(keys: readonly KeyInput[]): Promise<void> {
    const { keyboard } = this.#page;
    for (const key of keys.slice(0, -1)) await this.#send(keyboard.down(key));
    const last = keys.at(-1);
    if (last) await this.#send(keyboard.press(last));
    for (const key of keys.slice(0, -1).toReversed()) await this.#send(keyboard.up(key));
  }

  async key(key: KeyInput, isDown: boolean): Promise<void> {
    const { keyboard } = this.#page;
    await this.#send(isDown ? keyboard.down(key) : keyboard.up(key));
    if (isDown) this.#held.add(key);
    else this.#held.delete(key);
  }

  /** Releases the keys and the button that actions hold down. */
  async release(): Promise<void> {
    for (const key of this.#held) await this.key(key, false);
    if (this.#isPressed) await this.#send(this.#page.mouse.up());
    this.#isPressed = false;
  }

  /** Throws `Denied` unless the element at the point takes no secret, or the user allows it. */
  async guardPoint({ x, y }: Point): Promise<void> {
    await this.#guard(() => inspectPoint(this.#session, x, y));
  }

  /** The same for the focused element, before keys that may write there. */
  async guardFocus(keys?: readonly KeyInput[]): Promise<void> {
    if (keys === undefined || canWrite(keys)) await this.#guard(() => inspectFocus(this.#session));
  }

  /** The kind of the focused field where it takes a secret; a field that cannot be inspected counts as one. */
  readSecretField(): Promise<SecretField | null> {
    return this.#look(() => readSecretField(this.#session), { value: null });
  }

  /**
   * A picture of the page without the contents of fields that take a secret; null where these cannot be covered, or the page cannot be
   * drawn in time.
   */
  async picture(): Promise<string | null> {
    const cover = new SecretCover(this.#session);
    try {
      if (!(await this.#look(() => cover.put().then(() => true), false))) return null;
      const shot = this.#session.send('Page.captureScreenshot', {
        format: 'jpeg',
        quality: 75,
        captureBeyondViewport: false,
        optimizeForSpeed: true,
      });
      return (await this.watch.within(PICTURE_TIMEOUT_MS, shot)).data;
    } catch {
      return null;
    } finally {
      await this.watch.within(LOOK_TIMEOUT_MS, cover.lift()).catch(() => undefined);
    }
  }

  async place(): Promise<{ url: string; title: string }> {
    const asked = this.#session.send('Target.getTargetInfo');
    const info = await this.watch.within(LOOK_TIMEOUT_MS, asked).catch(() => null);
    const { url = '', title = '' } = info?.targetInfo ?? {};
    return { url: url.slice(0, MAX_URL), title: title.slice(0, 300) };
  }

  /** Whether a field that takes a secret was touched since the last call, allowed or not. */
  takeSensitive(): boolean {
    const was = this.#wasSensitive;
    this.#wasSensitive = false;
    return was;
  }

  /** Whether anything was sent to the page since the last call; an address that is opened does not count. */
  takeActed(): boolean {
    const has = this.#hasActed;
    this.#hasActed = false;
    return has;
  }

  /** Evaluates an expression in a world of its own in the page. */
  async evaluate(expression: string): Promise<unknown> {
    const { executionContextId } = await this.#send(
      this.#session.send('Page.createIsolatedWorld', { frameId: this.id, worldName: 'reader' }),
    );
    const { result } = await this.#send(
      this.#session.send('Runtime.evaluate', {
        expression,
        contextId: executionContextId,
        returnByValue: true,
      }),
    );
    return result.value;
  }

  async #attach(): Promise<void> {
    const { gate, viewport } = this.#options;
    await this.#page.setViewport(viewport);
    this.#id = (await this.#session.send('Target.getTargetInfo')).targetInfo.targetId;
    gate.watchTab(this.#session, this.id);
    this.#session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.#fields = new Set();
    });
    await this.watch.attach(this.#page, this.#session, this.id);
    await this.#session.send('Page.setInterceptFileChooserDialog', { enabled: true });
    await this.#session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  }

  /** Looks again after each yes: the page may have become another one while its user was asked, and theirs is for this one alone. */
  async #guard(inspect: () => Promise<Field | null>): Promise<void> {
    for (;;) {
      const allowed = this.#fields;
      const field = await this.#look(inspect, 'frame');
      if (field === null) return;
      this.#wasSensitive = true;
      if (allowed.has(field)) return;
      if (!(await this.#askAbout(field))) throw new Denied();
      allowed.add(field);
    }
  }

  async #askAbout(field: Field): Promise<boolean> {
    const { url } = await this.place();
    const site = siteOfDocument(url, this.#options.testHosts) ?? '';
    return this.#options.questions.ask({
      kind: 'sensitive_field',
      site,
      from: site,
      url: url.split(/[?#]/)[0] ?? '',
      field,
    });
  }

  /** The result of `look`, or `unseen` where it fails at a second try too. */
  async #look<Seen>(look: () => Promise<Seen>, unseen: Seen): Promise<Seen> {
    for (const isLast of [false, true]) {
      try {
        return await this.watch.within(INPUT_TIMEOUT_MS, look());
      } catch (error) {
        if (error instanceof PageHangs || error instanceof PageCrashed) throw error;
        if (!isLast) await sleep(RETRY_MS);
      }
    }
    return unseen;
  }

  #send<Result>(work: Promise<Result>): Promise<Result> {
    this.#hasActed = true;
    return this.watch.within(INPUT_TIMEOUT_MS, work);
  }
}

/** What is done while a text is typed. */
export interface Typing {
  /** Called before each line but an empty one after Enter, once the page has settled. */
  beforeLine(line: string): Promise<void>;
  /** Called before Enter, which may leave the field or submit it. */
  beforeEnter?(): Promise<void>;
}

export interface Point {
  x: number;
  y: number;
}

/** Converts a point of the grid to pixels of a viewport. */
export function pixelOf(
  x: number,
  y: number,
  { width, height }: typeof VIEWPORT | TabOptions['viewport'],
): Point {
  const on = (value: number, length: number) => Math.min(length - 1, Math.floor((value / GRID) * length));
  return { x: on(x, width), y: on(y, height) };
}
