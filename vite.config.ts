import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { DEFAULT_BRAND } from '#contract/brand.ts';

const SITE_ID = 'virtual:site';

/** Gives the browser what is known when it is built: `virtual:site`. */
function site(): Plugin {
  return {
    name: 'parley:site',
    resolveId: (id) => (id === SITE_ID ? `\0${SITE_ID}` : undefined),
    load: (id) =>
      id === `\0${SITE_ID}` ? `export const brand = ${JSON.stringify(DEFAULT_BRAND)};` : undefined,
  };
}

export default defineConfig({
  plugins: [site(), tailwindcss(), reactRouter()],
  build: { assetsInlineLimit: 0 },
});
