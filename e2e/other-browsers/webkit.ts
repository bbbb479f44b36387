import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#test/child-program.ts';
import type { Tab } from './tab.ts';

/** The key of an element in what WebDriver sends (https://www.w3.org/TR/webdriver2, 12). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const ENTER = '\uE007';
const TRIES = 50;
const PAUSE_MS = 200;

interface Programs {
  driver: string;
  browser: string;
  display: string;
}

/** Starts WebKitGTK's browser on a display of its own and speaks WebDriver with it. */
export async function startWebkit({ driver, browser, display }: Programs): Promise<Tab> {
  const started: ChildProcess[] = [];
  const stop = () => {
    for (const child of started.toReversed()) child.kill('SIGTERM');
  };
  const screen = spawn(display, ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  started.push(screen);
  const number = await firstLine(screen);
  const port = await freePort();
  const env = { ...process.env, DISPLAY: `:${number}`, GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1' };
  started.push(spawn(driver, [`--port=${port}`], { stdio: 'ignore', env }));
  try {
    const server = `http://127.0.0.1:${port}`;
    await whenReady(server);
    const options = { binary: browser, args: ['--automation'] };
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
    const { sessionId } = await call<{ sessionId: string }>('POST', `${server}/session`, { capabilities });
    return tabOf(`${server}/session/${sessionId}`, stop);
  } catch (error) {
    stop();
    throw error;
  }
}

function tabOf(session: string, stop: () => void): Tab {
  const post = <T>(path: string, body: object) => call<T>('POST', `${session}/${path}`, body);
  const keys = (values: string[]) => {
    const actions = values.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    return post<void>('actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  };
  return {
    open: (url) => post('url', { url }),
    url: () => call('GET', `${session}/url`),
    run: <T>(body: string, argument?: unknown) => {
      const script = `const done = arguments[1]; (async (argument) => { ${body} })(arguments[0]).then(done, (error) => done({ error: String(error) }));`;
      return post<T>('execute/async', { script, args: [argument ?? null] });
    },
    click: async (selector) => {
      const found = await post<Record<string, string>>('element', { using: 'css selector', value: selector });
      await post(`element/${found[ELEMENT]}/click`, {});
    },
    type: (text) => keys([...text]),
    pressEnter: () => keys([ENTER]),
    close: async () => {
      await call('DELETE', session).catch(() => {});
      stop();
    },
  };
}

/** Calls the driver. Throws with its own words when it refuses. */
async function call<T>(method: string, url: string, body?: object): Promise<T> {
  const response = await fetch(url, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${url}: ${value.error}: ${value.message}`);
  return value;
}

async function whenReady(server: string): Promise<void> {
  for (let left = TRIES; left > 0; left -= 1) {
    const isReady = await fetch(`${server}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(PAUSE_MS);
  }
  throw new Error('WebKitWebDriver did not start');
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [data] = (await Promise.race([
    once(child.stdio[3] as NodeJS.ReadableStream, 'data'),
    once(child, 'error').then(([error]) => Promise.reject(error)),
  ])) as [Buffer];
  return data.toString().trim();
}
