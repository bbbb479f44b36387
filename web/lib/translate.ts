import { brand, facts } from 'virtual:site';
import { brandName } from '#contract/brand.ts';
import type { Language } from '#contract/choices.ts';
import { type TextParams, textOf } from '#i18n/text-of.ts';
import type zhAdmin from '#i18n/zh/admin.json';
import type zh from '#i18n/zh/common.json';
import { languageTag } from './language.ts';

/** The texts of one language, in the shape of `i18n/zh/common.json`. */
export type Dictionary = typeof zh;

type KeysOf<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${KeysOf<T[K]>}`;
}[keyof T & string];

/** Every key that has a text: `register.title`. */
export type TextKey = KeysOf<Dictionary>;

/** The texts of the operator's console with the others. */
export type AdminDictionary = Dictionary & { admin: typeof zhAdmin };

/** Every key that has a text in the console: `admin.today.title`. */
export type AdminTextKey = TextKey | `admin.${KeysOf<typeof zhAdmin>}`;

/** Gives the text of a key; `{{name}}` is replaced by the parameter of that name, numbers in the language's habit. */
export type Translate = (key: TextKey, params?: TextParams) => string;

/** The space of `15 Credits`: no line breaks the number from its unit. */
const BEFORE_UNIT = /(?<=\d) (?=Credits?\b)/g;

/** The translator of one language. Any text may name `{{brand}}` and the catalogue's facts; its amounts of Credits stay on one line. */
export function createTranslate(language: Language, dictionary: Dictionary): Translate {
  const numbers = new Intl.NumberFormat(languageTag(language));
  const known: TextParams = { ...facts, brand: brandName(brand, language) };
  return (key, params) =>
    textOf(dictionary, key, params ? { ...known, ...params } : known, numbers).replace(BEFORE_UNIT, '\u00a0');
}
