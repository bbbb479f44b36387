import type { Plugin } from 'vite';
import { DEFAULT_BRAND } from '#contract/brand.ts';
import type { Catalogue } from '#contract/catalogue.ts';

const ID = 'virtual:site';

const catalogue: Catalogue = JSON.parse(
  '{"defaultModel":"parley-flash","models":[{"id":"parley-flash","title":{"zh":"Parley Flash","en":"Parley Flash"},"description":{"zh":"","en":""},"cost":15,"contextTokens":1000000,"tiers":["free","basic","pro"],"comingSoon":false,"computerUse":false,"allowed":true},{"id":"parley-pro","title":{"zh":"Parley Pro","en":"Parley Pro"},"description":{"zh":"","en":""},"cost":20,"contextTokens":1000000,"tiers":["basic","pro"],"comingSoon":false,"computerUse":false,"allowed":false},{"id":"gemini-2.5-flash-lite","title":{"zh":"Gemini 2.5 Flash Lite","en":"Gemini 2.5 Flash Lite"},"description":{"zh":"","en":""},"cost":8,"contextTokens":1000000,"tiers":["free","basic","pro"],"comingSoon":false,"computerUse":false,"allowed":true}],"plans":[{"key":null,"tier":"free","title":{"zh":"免费版","en":"Free"},"description":{"zh":"","en":""},"prices":[{"cycle":"monthly","monthlyUSD":0,"totalUSD":0,"credits":40},{"cycle":"annual","monthlyUSD":0,"totalUSD":0,"credits":40}],"includesComputerUse":false,"prioritySupport":false},{"key":"gemini_basic","tier":"basic","title":{"zh":"基础版","en":"Basic"},"description":{"zh":"","en":""},"prices":[{"cycle":"monthly","monthlyUSD":6.9,"totalUSD":6.9,"credits":500},{"cycle":"annual","monthlyUSD":4.9,"totalUSD":58.8,"credits":6000}],"includesComputerUse":false,"prioritySupport":false},{"key":"gemini_pro","tier":"pro","title":{"zh":"专业版","en":"Pro"},"description":{"zh":"","en":""},"prices":[{"cycle":"monthly","monthlyUSD":11.9,"totalUSD":11.9,"credits":1500},{"cycle":"annual","monthlyUSD":9.9,"totalUSD":118.8,"credits":18000}],"includesComputerUse":true,"prioritySupport":true}],"providers":[]}',
);

/** Gives the pages what is known when they are built: `virtual:site`. */
export function sitePlugin(): Plugin {
  return {
    name: 'parley:site',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: (id) =>
      id === `\0${ID}`
        ? `export const brand = ${JSON.stringify(DEFAULT_BRAND)};\nexport const catalogue = ${JSON.stringify(catalogue)};`
        : undefined,
  };
}
