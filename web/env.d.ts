/// <reference types="vite/client" />

declare module 'virtual:site' {
  import type { Brand } from '#contract/brand.ts';
  import type { Bilingual } from '#contract/catalogue.ts';

  /** The operator's brand, as it was when the pages were built. */
  export const brand: Brand;
  /** Numbers from the catalogue that any text may name. */
  export const facts: {
    /** Credits a user on Free gets at sign-up and in every month. */
    freeCredits: number;
    /** Of a message, whatever the model. A picture is priced by its size. */
    lowestCost: number;
    highestCost: number;
    /** Of the model that is selected at first. */
    defaultCost: number;
    /** Tokens of files that a message reads without a price, then how many cost `filesEach` Credits. */
    filesFree: number;
    filesStep: number;
    filesEach: number;
    /** Credits for each search of the web. */
    searchEach: number;
    /** Credits for a picture that a model makes, of the smallest and of the largest size. */
    pictureLeast: number;
    pictureMost: number;
  };
  export const defaultModelTitle: Bilingual;
}

declare module 'virtual:plans' {
  import type { CatalogueModel, CataloguePlan } from '#contract/catalogue.ts';

  /** A plan with the names of the models it may use. */
  export type PlanWithModels = CataloguePlan & { models: Pick<CatalogueModel, 'id' | 'title'>[] };

  export const plans: PlanWithModels[];
}

declare module 'virtual:models' {
  import type { CatalogueModel } from '#contract/catalogue.ts';

  /** Every model of the menu, where its server offers all of them. */
  export const models: CatalogueModel[];
}

declare module 'virtual:news' {
  interface NewsItem {
    slug: string;
    /** `YYYY-MM-DD`. */
    date: string;
    title: string;
    summary: string;
    /** A picture of the product that fits. */
    picture?: import('#web/pages/home/product-picture.tsx').ProductScene;
    html: string;
  }

  /** Newest first. Only for loaders, which run in the build: no browser needs both languages. */
  export const news: Record<import('#contract/choices.ts').Language, NewsItem[]>;
}

declare module '*.md' {
  /** Its heading of the first level; empty where it has none. */
  export const title: string;
  /** The text under its title as HTML, made when the pages were built. */
  export const html: string;
  /** Its headings of the second level, with their ids in the HTML. */
  export const sections: { id: string; title: string }[];
}
