/** Stands in built HTML for the origin of `PUBLIC_URL`, which the server puts in its place. */
export const ORIGIN_PLACEHOLDER = 'https://origin.invalid';

/** The site's public origin: what the server wrote into the document. */
export const siteOrigin = import.meta.env.SSR
  ? ORIGIN_PLACEHOLDER
  : (document.documentElement.dataset.origin ?? window.location.origin);
