import type { Plugin } from 'vite';

/** Leaves the older formats out of KaTeX's style sheet, so that they are not built: every browser that we support reads WOFF2. */
export function leanFonts(): Plugin {
  return {
    name: 'parley:lean-fonts',
    enforce: 'pre',
    transform: {
      filter: { id: /katex\.min\.css$/ },
      handler: (css) => css.replace(/,url\([^)]+\) format\("(?:woff|truetype)"\)/g, ''),
    },
  };
}
