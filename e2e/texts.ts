import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };

export const LANGUAGES = ['zh', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What the browser of a reader of each language asks for. */
export const LOCALE: Record<Language, string> = { zh: 'zh-CN', en: 'en-US' };

const DICTIONARY = { zh, en };

export type Say = (key: string, params?: Record<string, string | number>) => string;

/** Gives the texts of a language as the pages show them; a key without a text is a mistake in the test. */
export function sayIn(language: Language): Say {
  return (key, params = {}) => {
    let node: unknown = DICTIONARY[language];
    for (const part of key.split('.')) node = (node as Record<string, unknown> | undefined)?.[part];
    if (typeof node !== 'string') throw new Error(`${language} has no text ${key}`);
    return node.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? `{{${name}}}`));
  };
}
