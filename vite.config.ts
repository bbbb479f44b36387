import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { leanFonts } from './scripts/lean-fonts.ts';
import { serveSandbox } from './scripts/serve-sandbox.ts';
import { sitePlugin } from './scripts/site-plugin.ts';

export default defineConfig({
  plugins: [sitePlugin(process.env), leanFonts(), serveSandbox(), tailwindcss(), reactRouter()],
  publicDir: 'web/public',
  worker: { format: 'es' },
  build: {
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(react|react-dom|react-router|scheduler)\/|rolldown\/runtime/,
              priority: 2,
            },
            {
              name: 'shell',
              test: /\/web\/(root|pages\/layout\/(site-frame|page-title|email-text|needs-script)|pages\/home\/start-links|lib\/page-head|ui\/(button|rich-text))\.tsx/,
              priority: 1,
            },
            {
              name: 'plans',
              test: /\/web\/(features\/catalogue\/cycle-choice|pages\/layout\/question-list)\.tsx/,
            },
          ],
        },
      },
    },
  },
});
