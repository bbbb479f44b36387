import { resolve } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { BEFORE_PAINT } from '#web/lib/before-paint.ts';
import { leanFonts } from './scripts/build/lean-fonts.ts';
import { serveConsole, serveSandbox } from './scripts/build/serve-built.ts';
import { shareByPages } from './scripts/build/share-by-pages.ts';
import { sitePlugin } from './scripts/site/site-plugin.ts';
import routes from './web/routes.ts';

export default defineConfig({
  plugins: [
    sitePlugin(process.env),
    leanFonts(),
    serveSandbox(),
    serveConsole(BEFORE_PAINT),
    tailwindcss(),
    reactRouter(),
  ],
  publicDir: 'web/public',
  worker: { format: 'es' },
  build: {
    assetsInlineLimit: 0,
    manifest: true,
    rolldownOptions: {
      treeshake: { propertyReadSideEffects: false },
      output: {
        codeSplitting: {
          groups: [{ name: shareByPages('shared', routes, resolve('web')), debugName: 'shared' }],
        },
      },
    },
  },
});
