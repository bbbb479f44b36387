import { afterEach, expect, test, vi } from 'vitest';

/** Not named at its import: types of a worker are not those of a page, for which tests are checked. */
const WORKER = './service-worker.ts';

/** The caches of a browser by name, in the order in which they were made. */
const kept = new Map<string, Map<string, Response>>();
const caches = {
  keys: async () => [...kept.keys()],
  delete: async (name: string) => kept.delete(name),
  open: async (name: string) => {
    const cache = kept.get(name) ?? new Map<string, Response>();
    kept.set(name, cache);
    return {
      addAll: async (paths: string[]) => {
        for (const path of paths) cache.set(path, new Response('code'));
      },
      put: async (path: string, response: Response) => void cache.set(path, response),
      keys: async () => [...cache.keys()],
      match: async (path: string) => cache.get(path),
    };
  },
};

afterEach(() => {
  vi.unstubAllGlobals();
  kept.clear();
});

/** Installs and starts the worker of a build whose page the server gives, or fails to. */
async function install(build: string, page = new Response('<html></html>')): Promise<void> {
  const listeners: Record<string, (event: { waitUntil(work: Promise<void>): void }) => void> = {};
  vi.stubGlobal('BUILD', build);
  vi.stubGlobal('BUILT', { files: [`/assets/${build}.js`], pages: ['/zh/chat'] });
  vi.stubGlobal('caches', caches);
  vi.stubGlobal('fetch', async () => page);
  vi.stubGlobal('self', {
    addEventListener: (type: string, listener: (typeof listeners)[string]) => {
      listeners[type] = listener;
    },
    skipWaiting: async () => {},
    registration: {},
    clients: { claim: async () => {} },
  });
  vi.resetModules();
  await import(WORKER);
  for (const type of ['install', 'activate'])
    await new Promise<void>((resolve, reject) =>
      listeners[type]?.({ waitUntil: (work) => void work.then(resolve, reject) }),
    );
}

test('a build that was rolled back to is the former one of the next', async () => {
  for (const build of ['a', 'b', 'a', 'c']) await install(build);
  expect([...kept.keys()]).toEqual(['app-a', 'app-c']);
});

test('a build that could not be installed takes the place of no other', async () => {
  for (const build of ['a', 'b']) await install(build);
  await expect(install('c', new Response('', { status: 503 }))).rejects.toThrow('is not of build c');
  expect([...kept.keys()]).toEqual(['app-a', 'app-b']);
  await install('d');
  expect([...kept.keys()]).toEqual(['app-b', 'app-d']);
});

test('a roll-back that fails takes no code from the tabs of that build', async () => {
  for (const build of ['a', 'b']) await install(build);
  await expect(install('a', new Response('', { status: 503 }))).rejects.toThrow('is not of build a');
  expect([...kept.keys()]).toEqual(['app-a', 'app-b']);
  expect([...(kept.get('app-a')?.keys() ?? [])]).toEqual(['/assets/a.js', '/zh/chat']);
});
