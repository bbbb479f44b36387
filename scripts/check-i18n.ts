import { globSync, readFileSync } from 'node:fs';
import type { Language } from '#contract/choices.ts';
import { ERROR_STATUS } from '#contract/errors.ts';
import { checkHardCoded } from './i18n/check-hard-coded.ts';
import { checkPairs } from './i18n/check-pairs.ts';
import { checkTypography } from './i18n/check-typography.ts';
import { findKeys } from './i18n/find-keys.ts';
import { ALIKE, DYNAMIC_PREFIXES, EXACT } from './i18n/lists.ts';
import { flattenTexts, type TextProblem, type Texts } from './i18n/texts.ts';
import { parseSource, type SourceFile } from './structure/source-file.ts';

const SOURCES = '{web,server,contract,scripts,i18n}/**/*.{ts,tsx}';

interface Lists {
  /** Keys free of typography, untranslated keys, beginnings of computed keys: each with its reason. */
  exact: Record<string, string>;
  alike: Record<string, string>;
  prefixes: Record<string, string>;
  /** Keys that must exist whatever the sources say. */
  required: string[];
}

/** Every finding about the dictionaries, and about the keys that `files` use. */
export function checkI18n(zh: Texts, en: Texts, files: SourceFile[], lists: Lists): TextProblem[] {
  const idle = Object.keys({ ...lists.exact, ...lists.alike })
    .filter((key) => !zh.has(key))
    .map((key) => ({
      place: key,
      text: 'is listed in scripts/i18n/lists.ts but does not exist; delete it there',
    }));
  return [
    ...checkPairs(zh, en, lists.alike),
    ...checkTypography(zh, en, lists.exact),
    ...checkUse(zh, files, lists),
    ...checkHardCoded(files),
    ...idle,
  ];
}

function checkUse(zh: Texts, files: SourceFile[], { prefixes, required }: Lists): TextProblem[] {
  const uses = findKeys(files);
  const starts = Object.keys(prefixes);
  const needed = new Set(required);
  return [
    ...required
      .filter((key) => !zh.has(key))
      .map((key) => ({ place: key, text: 'is missing; every error code has a text in both languages' })),
    ...uses.calls
      .filter(({ key }) => !zh.has(key))
      .map(({ key, place }) => ({ place, text: `t('${key}') has no text; add the key to both languages` })),
    ...uses.prefixes
      .filter(({ key }) => !starts.includes(key))
      .map(({ key, place }) => ({
        place,
        text: `a key begins with \`${key}\` and is computed; write it out, or list the beginning in scripts/i18n/lists.ts`,
      })),
    ...[...zh.keys()]
      .filter(
        (key) => !needed.has(key) && !uses.strings.has(key) && !starts.some((start) => key.startsWith(start)),
      )
      .map((key) => ({ place: key, text: 'is used nowhere; delete it from both languages' })),
    ...[...zh.keys()]
      .filter((key) => key.startsWith('errors.') && !needed.has(key))
      .map((key) => ({ place: key, text: 'is the text of no error code in contract/errors.ts; delete it' })),
  ];
}

/** What every page says, and what the operator's console says besides, whose keys begin with `admin.`. */
function readTexts(language: Language): Texts {
  const read = (name: string): unknown => JSON.parse(readFileSync(`i18n/${language}/${name}.json`, 'utf8'));
  return new Map([...flattenTexts(read('common')), ...flattenTexts(read('admin'), 'admin')]);
}

if (import.meta.main) {
  const { zh, en }: Record<Language, Texts> = { zh: readTexts('zh'), en: readTexts('en') };
  const files = globSync(SOURCES).map((path) => parseSource(path, readFileSync(path, 'utf8')));
  const required = Object.keys(ERROR_STATUS).map((code) => `errors.${code}`);
  const problems = checkI18n(zh, en, files, {
    exact: EXACT,
    alike: ALIKE,
    prefixes: DYNAMIC_PREFIXES,
    required,
  });
  for (const { place, text } of problems) console.log(`${place} ${text}`);
  console.log(`i18n: ${zh.size} texts in two languages, ${problems.length} problems`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
