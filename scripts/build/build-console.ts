import { join, resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { build, type Plugin } from 'vite';
import { sitePlugin } from '../site/site-plugin.ts';
import { compressAssets } from './compress-assets.ts';

/**
 * Builds the operator's console into `folder`/admin: an application of its own, so that no page of the product grows by it.
 * `script` runs in its head, before anything is painted.
 */
export async function buildConsole(folder: string, script: string): Promise<void> {
  const outDir = resolve(folder, 'admin');
  await build({
    configFile: false,
    root: 'web/pages/admin',
    base: '/admin/',
    publicDir: false,
    logLevel: 'warn',
    plugins: [sitePlugin(process.env), inHead(script), tailwindcss()],
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2_000,
      rolldownOptions: {
        // What a library says of itself to servers that render.
        onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
      },
    },
  });
  await compressAssets(join(outDir, 'assets'));
}

function inHead(script: string): Plugin {
  return {
    name: 'parley:script-in-head',
    transformIndexHtml: () => [{ tag: 'script', children: script, injectTo: 'head' }],
  };
}
