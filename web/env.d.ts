/// <reference types="vite/client" />

declare module 'virtual:site' {
  import type { Brand } from '#contract/brand.ts';

  /** The operator's brand at build time. */
  export const brand: Brand;
}
