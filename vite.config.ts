import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { leanFonts } from './scripts/build/lean-fonts.ts';
import { serveSandbox } from './scripts/build/serve-sandbox.ts';
import { sitePlugin } from './scripts/site/site-plugin.ts';

export default defineConfig({
  plugins: [sitePlugin(process.env), leanFonts(), serveSandbox(), tailwindcss(), reactRouter()],
  publicDir: 'web/public',
  worker: { format: 'es' },
  build: {
    assetsInlineLimit: 0,
    manifest: true,
    rolldownOptions: {
      treeshake: { propertyReadSideEffects: false },
      output: {
        // What so many routes and lazy parts use is one file: many small ones compress badly.
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 7 }] },
      },
    },
  },
});
