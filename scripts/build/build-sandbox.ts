import { join, resolve } from 'node:path';
import { build } from 'vite';
import { compressAssets } from './compress-assets.ts';

const ROOT = 'web/sandbox';
const PAGES = ['picture', 'diagram'];

/** Builds the documents that show what answers bring from outside, each a page of its own, into `folder`/sandbox. */
export async function buildSandbox(folder: string): Promise<void> {
  const outDir = resolve(folder, 'sandbox');
  await build({
    configFile: false,
    root: ROOT,
    base: '/sandbox/',
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2_000,
      rolldownOptions: {
        input: Object.fromEntries(PAGES.map((page) => [page, resolve(ROOT, page, 'index.html')])),
      },
    },
  });
  await compressAssets(join(outDir, 'assets'));
}
