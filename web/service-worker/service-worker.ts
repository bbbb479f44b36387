declare const self: ServiceWorkerGlobalScope;

export type {};

/** Written in by the build (scripts/build/build-service-worker.ts). */
declare const BUILD: string;
declare const BUILT: { files: readonly string[]; pages: readonly string[] };

const { files, pages } = BUILT;
const PREFIX = 'app-';
const CACHE = PREFIX + BUILD;
/** Where a build is put together, so that one that fails takes nothing from who uses it already. */
const FILLING = 'filling';
/** Former builds whose code stays for the tabs that run it. */
const MAX_FORMER = 1;

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith('/assets/')) event.respondWith(sendAsset(request));
  else if (request.mode === 'navigate' && request.destination === 'document' && !isProgram(url))
    event.respondWith(sendPage(event, url));
});

/** Paths of the API, whose answers are never kept: a download is opened like a page. */
function isProgram({ pathname }: URL): boolean {
  return /^\/(api|v1|webhooks|sandbox)\//.test(pathname);
}

/**
 * Keeps all of one build or nothing: a server that is just being replaced fails this, and the browser tries again later. Caches stand in
 * the order in which they were made, so that a build that is installed again gets a new one.
 */
async function install(): Promise<void> {
  await caches.delete(FILLING);
  const filled = await caches.open(FILLING);
  try {
    await fill(filled);
    await caches.delete(CACHE);
    const cache = await caches.open(CACHE);
    for (const request of await filled.keys()) {
      const response = await filled.match(request);
      if (response) await cache.put(request, response);
    }
  } finally {
    await caches.delete(FILLING);
  }
  await self.skipWaiting();
}

async function fill(cache: Cache): Promise<void> {
  await cache.addAll(files);
  await Promise.all(
    pages.map(async (path) => {
      const response = await fetch(path, { cache: 'reload', credentials: 'omit' });
      const html = await response.clone().text();
      const needed = html.match(/\/assets\/[\w.-]+\.(?:json|js|css)\b/g) ?? [];
      if (!response.ok || !needed.every((file) => files.includes(file)))
        throw new Error(`${path} is not of build ${BUILD}`);
      await cache.put(path, response);
    }),
  );
}

async function takeOver(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(names.slice(0, -MAX_FORMER).map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** A file's name has its content's hash, so any copy is the right one, of whichever build. */
async function sendAsset(request: Request): Promise<Response> {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.status === 200) {
    const copy = response.clone();
    await caches
      .open(CACHE)
      .then((cache) => cache.put(request, copy))
      .catch(() => {});
  }
  return response;
}

/** A page always comes from the server, so that its code is the server's; without a network it is the kept chat, or says so. */
async function sendPage(event: FetchEvent, url: URL): Promise<Response> {
  try {
    const preloaded = (await event.preloadResponse) as Response | undefined;
    return preloaded ?? (await fetch(event.request));
  } catch (error) {
    const path = keptPath(url);
    if (path === null) return Response.redirect(offlineAddress(url));
    const page = await (await caches.open(CACHE)).match(path, { ignoreVary: true });
    if (page) return page;
    throw error;
  }
}

/** The kept page that shows an address; null where none does. */
function keptPath({ pathname }: URL): string | null {
  return pages.find((page) => pathname === page || pathname.startsWith(`${page}/`)) ?? null;
}

function offlineAddress({ pathname, search }: URL): string {
  const [, named] = /^\/(en|zh)(?:\/|$)/.exec(pathname) ?? [];
  const language = named ?? (self.navigator.language.startsWith('en') ? 'en' : 'zh');
  return `${self.location.origin}/${language}/offline?next=${encodeURIComponent(pathname + search)}`;
}
