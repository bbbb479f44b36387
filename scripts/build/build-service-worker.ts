import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const SOURCE = 'web/service-worker/service-worker.ts';
/** The pages that open without a network. */
const PAGES = ['/zh/chat', '/en/chat', '/zh/offline', '/en/offline'];
/** What these pages are made of; all that they load later is found from here. */
const ROOTS = [
  'web/root.tsx',
  'web/pages/language-layout.tsx',
  'web/pages/chat.tsx',
  'web/pages/offline.tsx',
];

/** A built file in Vite's manifest (https://vite.dev/guide/backend-integration). */
interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
  assets?: string[];
}

/** Builds the service worker into `folder`, with the names of the files that show the chat in this build. */
export async function buildServiceWorker(folder: string): Promise<void> {
  const read = async (path: string) => readFile(join(folder, path), 'utf8');
  const manifest = JSON.parse(await read('.vite/manifest.json')) as Record<string, Chunk>;
  const pages = await Promise.all(PAGES.map((page) => read(`${page}/index.html`)));
  const files = [...new Set([...pages.flatMap(assetsIn), ...filesBehind(manifest)])].sort();
  // Another worker for the same pages has a cache of its own: it empties it before it fills it.
  const parts = [files.join(), pages.join(), await readFile(SOURCE, 'utf8')];
  const version = createHash('sha256').update(parts.join()).digest('hex').slice(0, 16);
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: {
      BUILD: JSON.stringify(version),
      BUILT: JSON.stringify({ files, pages: PAGES }),
    },
    build: {
      outDir: resolve(folder),
      emptyOutDir: false,
      rolldownOptions: {
        input: SOURCE,
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  });
  await rm(join(folder, '.vite'), { recursive: true });
}

function assetsIn(html: string): string[] {
  return html.match(/\/assets\/[\w.-]+\.(?:json|js|css|woff2)\b/g) ?? [];
}

/** Every file that the chat may load, now or later, but fonts: those of formulas are kept once one has been shown. */
function filesBehind(manifest: Record<string, Chunk>): string[] {
  const names = Object.keys(manifest).filter((name) => ROOTS.some((root) => name.startsWith(root)));
  const reached = new Set(names);
  for (const name of reached) {
    const { imports = [], dynamicImports = [] } = manifest[name] ?? {};
    for (const next of [...imports, ...dynamicImports]) reached.add(next);
  }
  return [...reached].flatMap((name) => {
    const { file, css = [], assets = [] } = manifest[name] ?? { file: '' };
    const texts = assets.filter((path) => !path.endsWith('.woff2'));
    return [file, ...css, ...texts].map((path) => `/${path}`);
  });
}
