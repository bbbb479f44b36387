import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { leanFonts } from './scripts/lean-fonts.ts';
import { leanRouter } from './scripts/lean-router.ts';
import { serveSandbox } from './scripts/serve-sandbox.ts';
import { sitePlugin } from './scripts/site-plugin.ts';

export default defineConfig({
  plugins: [sitePlugin(process.env), leanFonts(), leanRouter(), serveSandbox(), tailwindcss(), reactRouter()],
  publicDir: 'web/public',
  worker: { format: 'es' },
  build: {
    assetsInlineLimit: 0,
    // What every page has loaded already need not be named again.
    modulePreload: { resolveDependencies: (_, needed) => needed.filter((name) => !name.includes('/shell-')) },
    rolldownOptions: {
      treeshake: { propertyReadSideEffects: false },
      output: {
        codeSplitting: {
          groups: [
            {
              // Together they are 1.4 kB smaller than apart: a first visit counts for more than a second one after a release.
              name: 'shell',
              test: /node_modules\/(react|react-dom|react-router|scheduler|@tanstack)\/(?!.*(nfiniteQueryObserver|useInfiniteQuery|useMutation|mutationObserver))|rolldown[:/]runtime|\/web\/(root|entry\.client|pages\/language-layout|pages\/layout\/(site-frame|page-title|email-text|needs-script)|lib\/(page-head|i18n|detect-language|dictionary|translate)|ui\/(button|rich-text))\.tsx?/,
              priority: 2,
            },
            {
              name: 'forms',
              test: /\/web\/(features\/accounts\/(password-field|use-after-sign-in|sign-in\.ts|focus-first-error|use-captcha|sign-in-options|google-(entrance|logo)|use-google|is-to-remember)|ui\/(text-field|checkbox|field-error)|pages\/layout\/entrance)/,
              priority: 2,
            },
            {
              name: 'login',
              test: /\/web\/(features\/accounts\/(passkey-(button|support)|sign-in-by-passkey|login-form|use-second-step)|pages\/login)/,
              priority: 1,
            },
            {
              name: 'chat-parts',
              test: /\/web\/(features\/chat\/(conversation-cache|drafts|single-keys|use-target|load-more|shortcuts|use-growing-field|turn\/turn-actions)|lib\/(enter-rule|use-enter-key)|ui\/(menu|move-focus|place-popup))\./,
              priority: 1,
            },
            {
              name: 'icons',
              test: /lucide-react\/dist\/esm\/icons\/(check|chevron-down|copy|search)\./,
              priority: 2,
            },
            { name: 'dialog', test: /\/web\/ui\/dialog\.tsx/, priority: 1 },
            {
              name: 'member',
              test: /\/web\/features\/billing\/(own-subscription|subscription-panel|status-|held-|change-|cancel-|order-outcome|use-awaited|member-|plan-standing|standing-|use-checkout|create-checkout)/,
            },
            {
              name: 'plan-cards',
              test: /\/web\/features\/catalogue\/plan-|virtual:plans/,
              priority: 1,
            },
            {
              name: 'plans',
              test: /\/web\/(features\/(catalogue\/cycle-choice|billing\/(buy-button|payment-note|provider-|use-(ask-to-sign-in|billing|offer|purchase)|billing-query))|pages\/layout\/payment-settings|lib\/use-module)/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
});
