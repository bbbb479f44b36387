import { ORIGIN_PLACEHOLDER } from './pages.ts';

/** The site's public origin: what the server wrote into the document. */
export const siteOrigin = import.meta.env.SSR
  ? ORIGIN_PLACEHOLDER
  : (document.documentElement.dataset.origin ?? window.location.origin);
