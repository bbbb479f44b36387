import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { type Browser, connect, type Page } from 'puppeteer-core';
import { expect, it, vi } from 'vitest';
import { NO_WALLS, PROGRAMS, walled } from '#test/computer/walls.ts';
import { IS_LONG } from '#test/runs.ts';
import { firstTab, launchBrowser, transportOf } from './launch-browser.ts';

it.each(['garbage', 'null', '{"id":', '{"method":"Target.attachedToTarget"}'])(
  'a browser that says %j is killed, and nothing else ends',
  async (said) => {
    const input = new PassThrough();
    const kill = vi.fn(() => true);
    const child = Object.assign(new EventEmitter(), {
      ...{ stdio: [null, null, null, new PassThrough(), input], kill },
    });
    const transport = transportOf(child as unknown as ChildProcess);
    void connect({ transport, defaultViewport: null }).catch(() => undefined);
    input.write(`${said}\0`);
    await vi.waitFor(() => expect(kill).toHaveBeenCalledWith('SIGKILL'));
    child.emit('close');
  },
);

it('the tab of a run is the one that the browser begins with, whichever pages of its own the browser has', async () => {
  const pageAt = (url: string) => ({ target: () => ({ url: () => url }) }) as Page;
  const [own, blank, made] = ['chrome://omnibox-popup.top-chrome/', 'about:blank', 'about:blank'].map(pageAt);
  const having = (...pages: unknown[]) =>
    ({ pages: async () => pages, newPage: async () => made }) as unknown as Browser;
  expect(await firstTab(having(own, blank))).toBe(blank);
  expect(await firstTab(having(own))).toBe(made);
});

/** What a page asks for that may have all that a page can get: it came by https, and its user just clicked. */
const ASK = `(async () => {
  const nameOf = (ask) => ask().then(() => 'granted', ({ name }) => name);
  const stateOf = async (name) => (await navigator.permissions.query({ name })).state;
  const names = ['geolocation', 'notifications', 'camera', 'microphone'];
  return JSON.stringify({
    isSecureContext,
    states: Object.fromEntries(await Promise.all(names.map(async (name) => [name, await stateOf(name)]))),
    place: await new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => resolve('granted'), ({ code }) => resolve(code))),
    notification: 'Notification' in self ? await Notification.requestPermission() : 'no such thing',
    camera: await nameOf(() => navigator.mediaDevices.getUserMedia({ video: true })),
    microphone: await nameOf(() => navigator.mediaDevices.getUserMedia({ audio: true })),
    screen: await nameOf(() => navigator.mediaDevices.getDisplayMedia()),
    clipboard: await nameOf(() => navigator.clipboard.readText()),
  });
})()`;

it.skipIf(NO_WALLS !== null || !IS_LONG)(
  walled('a page is refused place, notifications, camera, microphone, screen and clipboard'),
  async () => {
    if (!PROGRAMS) throw new Error('there are no walls');
    const rules = { mayReach: () => false, testHosts: {}, maxBytes: 1e6 };
    const { browser, kill } = await launchBrowser(PROGRAMS, rules, 'en');
    try {
      const session = await (await firstTab(browser)).createCDPSession();
      const body = Buffer.from('<title>Ask</title>').toString('base64');
      session.on('Fetch.requestPaused', ({ requestId }) => {
        void session.send('Fetch.fulfillRequest', { requestId, responseCode: 200, body });
      });
      await session.send('Fetch.enable');
      await session.send('Page.navigate', { url: 'https://shop.test/' });
      const ask = { expression: ASK, awaitPromise: true, userGesture: true };
      const { result } = await session.send('Runtime.evaluate', ask);
      const { isSecureContext, states, ...answers } = JSON.parse(String(result.value));
      expect(isSecureContext).toBe(true);
      expect(new Set(Object.values(states))).toEqual(new Set(['denied']));
      // Where there is none, that is said first.
      const missing = expect.stringMatching(/^Not(Found|Allowed)Error$/);
      const refused = 'NotAllowedError';
      expect(answers).toEqual({
        ...{ place: 1, notification: 'no such thing', camera: missing, microphone: missing },
        ...{ screen: refused, clipboard: refused },
      });
    } finally {
      await kill();
    }
  },
);
