import { CJK, PARAM, type TextProblem, type Texts } from './texts.ts';

const HAN = CJK.source;
const WIDE = '，。、；：？！（）《》“”‘’「」…—';

/** Rules of the house for Chinese texts: what a match means and what to write instead. */
const CHINESE: [pattern: RegExp, text: string][] = [
  [new RegExp(`${HAN}[,;:?!]|[,;:?!]${HAN}`), 'half-width punctuation beside Chinese; write ，；：？'],
  [new RegExp(`${HAN}\\.(\\s|$)`), 'a half-width stop after Chinese; write 。'],
  [new RegExp(`\\([^)]*${HAN}|${HAN}[^(]*\\)`), 'half-width brackets around Chinese; write （）'],
  [/"|'/, 'straight quotes; write “” or 「」'],
  [/\.\.\./, 'three dots; write ……'],
  [
    new RegExp(`${HAN}[A-Za-z0-9]|[A-Za-z0-9%]${HAN}`),
    'Chinese and Latin letters or digits touch; put a space between',
  ],
  [new RegExp(`${HAN} +${HAN}`), 'a space between Chinese characters; take it out'],
  [
    new RegExp(`[${WIDE}] | [${WIDE.replace('—', '').replace('“', '')}]`),
    'a space beside full-width punctuation; take it out',
  ],
  [/您/, '您; write 你'],
  [
    /(?<![父母双])亲(?![自手眼身友人近密切])|赋能|一站式/,
    'a word we do not use (亲, 赋能, 一站式); say it plainly',
  ],
];

const ENGLISH: [pattern: RegExp, text: string][] = [
  [/\b(unleash|seamless|supercharge)/i, 'a word we do not use; say it plainly'],
  [/[，。；：？！（）]/, 'full-width punctuation in English; write the half-width one'],
  [/ {2,}/, 'two spaces in a row; write one'],
];

const BOTH: [pattern: RegExp, text: string][] = [
  [/[!！]/, 'an exclamation mark; end with a full stop or nothing'],
  [/^\s|\s$/, 'space at the edge; take it out'],
];

/** Parameters that stand for Chinese words in a Chinese text; all others are numbers or Latin and need spaces beside Chinese. */
const CHINESE_PARAMS = /\{\{\s*(brand|plan|next|opens|model|title|time|date|cycle|reason|first|last)\s*\}\}/g;

/** Typography and voice of both languages; `exact` lists keys whose wording is given by the specification. */
export function checkTypography(zh: Texts, en: Texts, exact: Record<string, string>): TextProblem[] {
  return [
    ...checkLanguage('zh', zh, [...CHINESE, ...BOTH], exact),
    ...checkLanguage('en', en, [...ENGLISH, ...BOTH], exact),
  ];
}

function checkLanguage(
  language: string,
  texts: Texts,
  rules: [RegExp, string][],
  exact: Record<string, string>,
) {
  const problems: TextProblem[] = [];
  for (const [key, text] of texts) {
    if (key in exact) continue;
    const plain = text.replace(CHINESE_PARAMS, '\u3007').replace(PARAM, '0');
    for (const [pattern, advice] of rules) {
      const found = pattern.exec(plain);
      if (found) problems.push({ place: `${language} ${key}`, text: `“${found[0]}”: ${advice}` });
    }
  }
  return problems;
}
