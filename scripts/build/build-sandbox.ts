import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { compressAssets } from './compress-assets.ts';

const ROOT = 'web/sandbox';
const PAGES = ['picture', 'diagram', 'suggestions', 'pdf'];
/** What pdfjs wants of some PDFs only: CMaps and fonts that are not inside, decoders of rare pictures. */
const PDF_PARTS = ['cmaps', 'standard_fonts', 'wasm'];

/** Builds the documents that show what comes from outside, each a page of its own, into `folder`/sandbox. */
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
  for (const part of PDF_PARTS) {
    const filter = (path: string) => !path.endsWith('.wasm') && !path.includes('quickjs');
    await cp(join('node_modules/pdfjs-dist', part), join(outDir, 'pdfjs', part), { recursive: true, filter });
  }
  for (const part of ['assets', 'pdfjs/wasm']) await compressAssets(join(outDir, part));
}
