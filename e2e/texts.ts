import { LANGUAGES, type Language } from '#contract/choices.ts';
import enAdmin from '#i18n/en/admin.json' with { type: 'json' };
import en from '#i18n/en/common.json' with { type: 'json' };
import { fillText } from '#i18n/text-of.ts';
import zhAdmin from '#i18n/zh/admin.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { IS_LONG, inTurn } from '#test/runs.ts';

/**
 * The languages in which a journey is made, each with its title: one language, by turns of the titles, and both in
 * `npm run test:long`. What the texts say is compared without a browser, in both.
 */
export function journeys(name: string): { language: Language; title: string }[] {
  const turn = turnOf(name) % LANGUAGES.length;
  const languages = IS_LONG ? LANGUAGES : LANGUAGES.slice(turn, turn + 1);
  return languages.map((language) => ({ language, title: `${language}: ${name}` }));
}

function turnOf(name: string): number {
  return [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
}

/** The windows of a desktop and of a phone. */
const SCREENS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;

/** The same in the window of a desktop and of a phone: one language in one window, by turns of the titles, and all four in the long run. */
export function journeysOnScreens(name: string) {
  const all = SCREENS.flatMap((size) =>
    LANGUAGES.map((language) => ({ language, size, title: `${language}, ${size.width} px wide: ${name}` })),
  );
  return inTurn(all, turnOf(name) % all.length, all.length);
}

/** Variants of a journey: the first `usual` of them, and all in `npm run test:long`. */
export function variants<T>(all: readonly T[], usual: number): readonly T[] {
  return IS_LONG ? all : all.slice(0, usual);
}

/** What the browser of a reader of each language asks for. */
export const LOCALE: Record<Language, string> = { zh: 'zh-CN', en: 'en-US' };

const DICTIONARY = { zh: { ...zh, admin: zhAdmin }, en: { ...en, admin: enAdmin } };

export type Say = (key: string, params?: Record<string, string | number>) => string;

/** Gives the texts of a language as the pages show them; a key without a text is a mistake in the test. */
export function sayIn(language: Language): Say {
  return (key, params = {}) => {
    let node: unknown = DICTIONARY[language];
    for (const part of key.split('.')) node = (node as Record<string, unknown> | undefined)?.[part];
    if (typeof node !== 'string') throw new Error(`${language} has no text ${key}`);
    return fillText(node, (name) => params[name]?.toString());
  };
}
