/// <reference types="vite/client" />

declare module 'virtual:site' {
  import type { Brand } from '#contract/brand.ts';
  import type { Catalogue } from '#contract/catalogue.ts';

  /** The operator's brand, as it was when the pages were built. */
  export const brand: Brand;
  /** The catalogue as a visitor sees it. */
  export const catalogue: Catalogue;
}
