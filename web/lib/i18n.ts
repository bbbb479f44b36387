import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { brand } from 'virtual:site';
import type zh from '#i18n/zh/common.json';
import { type Language, languageTag } from './language.ts';

export type Dictionary = typeof zh;

/** An i18next instance that holds one language; every text may say `{{brand}}`. */
export function createI18n(language: Language, dictionary: Dictionary): i18n {
  const instance = createInstance().use(initReactI18next);
  const brandName = language === 'zh' ? brand.nameZh : brand.name;
  void instance.init({
    lng: language,
    fallbackLng: false,
    ns: ['common'],
    defaultNS: 'common',
    resources: { [language]: { common: dictionary } },
    interpolation: { escapeValue: false, defaultVariables: { brand: brandName } },
    initAsync: false,
  });
  return instance;
}

/** A number in the habit of the language: 18,000. */
export function formatNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(languageTag(language)).format(value);
}
