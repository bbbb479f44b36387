import { brand, facts } from 'virtual:site';
import type zh from '#i18n/zh/common.json';
import { type Language, languageTag } from './language.ts';

/** The texts of one language, in the shape of `i18n/zh/common.json`. */
export type Dictionary = typeof zh;

type KeysOf<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${KeysOf<T[K]>}`;
}[keyof T & string];

/** Every key that has a text: `register.title`. */
export type TextKey = KeysOf<Dictionary>;

export type TextParams = Record<string, string | number>;

/** Gives the text of a key; `{{name}}` is replaced by the parameter of that name, numbers in the language's habit. */
export type Translate = (key: TextKey, params?: TextParams) => string;

/** The translator of one language. Any text may name `{{brand}}` and the catalogue's facts; a missing text shows as its key. */
export function createTranslate(language: Language, dictionary: Dictionary): Translate {
  const numbers = new Intl.NumberFormat(languageTag(language));
  const brandName = language === 'zh' ? brand.nameZh : brand.name;
  const known: TextParams = { ...facts, brand: brandName };
  return (key, params = {}) => {
    const text = lookUp(dictionary, key) ?? key;
    return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
      const value = params[name] ?? known[name];
      return typeof value === 'number' ? numbers.format(value) : (value ?? whole);
    });
  };
}

function lookUp(dictionary: Dictionary, key: string): string | undefined {
  let node: unknown = dictionary;
  for (const part of key.split('.')) {
    node = typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[part] : undefined;
  }
  return typeof node === 'string' ? node : undefined;
}
