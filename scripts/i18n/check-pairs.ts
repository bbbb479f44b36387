import { CJK, PARAM, paramsOf, type TextProblem, type Texts } from './texts.ts';

/** Words that a Chinese text may consist of without any Chinese character. */
const NAMES =
  /^(Credits?|Parley|API|Gemini|Google|GitHub|OpenAI|Discord|Telegram|Markdown|JSON|CSV|FAQ|USD|Creem|BagelPay|Basic|Pro|Flash|Lite|K|M|v)$/;

/** Missing, extra, empty and untranslated texts, and parameters that differ. `alike` lists keys that may be the same. */
export function checkPairs(zh: Texts, en: Texts, alike: Record<string, string>): TextProblem[] {
  const problems: TextProblem[] = [];
  const add = (place: string, text: string) => problems.push({ place, text });
  for (const key of zh.keys()) if (!en.has(key)) add(`en ${key}`, 'is missing; write it for English readers');
  for (const key of en.keys())
    if (!zh.has(key)) add(`zh ${key}`, 'is missing; zh/common.json is the source of keys');
  for (const [key, chinese] of zh) {
    const english = en.get(key);
    if (chinese.trim() === '') add(`zh ${key}`, 'is empty; delete the key or write its text');
    if (english === undefined) continue;
    if (english.trim() === '') add(`en ${key}`, 'is empty; delete the key or write its text');
    const names = [paramsOf(chinese).join(', '), paramsOf(english).join(', ')];
    if (names[0] !== names[1])
      add(key, `has the parameters {${names[0]}} in zh and {${names[1]}} in en; make them equal`);
    if (key in alike) continue;
    if (CJK.test(english))
      add(`en ${key}`, 'has Chinese characters; translate it, or list it in scripts/i18n/lists.ts');
    if (isUntranslated(chinese)) {
      add(
        `zh ${key}`,
        'has no Chinese and is no list of names; translate it, or list it in scripts/i18n/lists.ts',
      );
    }
  }
  return problems;
}

function isUntranslated(chinese: string): boolean {
  if (CJK.test(chinese)) return false;
  const words = chinese.replace(PARAM, ' ').match(/[A-Za-z]+/g) ?? [];
  return words.some((word) => !NAMES.test(word));
}
