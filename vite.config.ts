import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { BEFORE_PAINT } from '#web/lib/before-paint.ts';
import { leanFonts } from './scripts/build/lean-fonts.ts';
import { serveConsole, serveSandbox } from './scripts/build/serve-built.ts';
import { sitePlugin } from './scripts/site/site-plugin.ts';

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
        // What so many routes and lazy parts use is one file: many small ones compress badly.
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 14 }] },
      },
    },
  },
});
