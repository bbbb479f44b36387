/** Characters of private use: what stands behind one of the first two in a code span is a formula. */
const INLINE = '\uE000';
const DISPLAY = '\uE001';
const BACKTICK = '\uE002';
const BAR = '\uE003';

const CODE = /(`+)[\s\S]*?[^`]\1(?!`)/y;
const FORMULAS: [pattern: RegExp, mark: string][] = [
  [/\$\$((?:(?!\$\$|\n\s*\n)[\s\S]){1,4000})\$\$/y, DISPLAY],
  [/\\\[((?:(?!\\\]|\n\s*\n)[\s\S]){1,4000})\\\]/y, DISPLAY],
  [/\\\(((?:(?!\\\)|\n\s*\n)[\s\S]){1,1000})\\\)/y, INLINE],
  [/\$(?=\S)([^$\n]{1,400}(?<=\S))\$(?!\w)/y, INLINE],
];
const NEXT = /[`$\\]/g;

/** A formula as `markMath` hid it in a code span. */
export interface MarkedFormula {
  formula: string;
  display: boolean;
}

/**
 * Makes a code span of every formula outside code, so that Markdown leaves its stars and underscores alone; `readMarked` knows it
 * again. `$` counts by the rules of Pandoc (https://pandoc.org/MANUAL.html#math), and only around what looks like a formula: prices
 * and Chinese sentences between two `$` stay as they are.
 */
export function markMath(source: string): string {
  if (!/\$|\\[([]/.test(source)) return source;
  let marked = '';
  let at = 0;
  for (;;) {
    NEXT.lastIndex = at;
    const next = NEXT.exec(source);
    if (!next) return marked + source.slice(at);
    marked += source.slice(at, next.index);
    const [length, shown] = readAt(source, next.index);
    marked += shown;
    at = next.index + length;
  }
}

/** The formula in a code span's text, or null when it is code. */
export function readMarked(code: string): MarkedFormula | null {
  const [mark] = code;
  if (mark !== INLINE && mark !== DISPLAY) return null;
  const formula = code.slice(1).replaceAll(BACKTICK, '`').replaceAll(BAR, '|');
  return { formula, display: mark === DISPLAY };
}

/** How much of the source to take from `index` on, and what to put in its place. */
function readAt(source: string, index: number): [number, string] {
  if (source[index] === '`') {
    const run = /`+/y;
    run.lastIndex = index;
    CODE.lastIndex = index;
    const whole = CODE.exec(source)?.[0] ?? run.exec(source)?.[0] ?? '`';
    return [whole.length, whole];
  }
  for (const [pattern, mark] of FORMULAS) {
    pattern.lastIndex = index;
    const found = pattern.exec(source);
    if (!found) continue;
    const [whole, formula = ''] = found;
    if (whole[1] !== '$' && whole[0] === '$' && !isMeant(source[index - 1] ?? '', formula)) continue;
    if (whole.startsWith('\\[') && !/[\\^_=+<>]/.test(formula)) continue;
    return [whole.length, asCode(formula, mark, source[index - 1] === '`')];
  }
  const escaped = source[index] === '\\' ? 2 : source.startsWith('$$', index) ? 2 : 1;
  return [escaped, source.slice(index, index + escaped)];
}

/** Whether what stands between two single dollars is a formula rather than two prices, two variables or a sentence. */
function isMeant(before: string, formula: string): boolean {
  if (/[\w$]/.test(before)) return false;
  const bare = formula.replace(/\\[a-zA-Z]+(?:\{[^{}]*\})?/g, '\\');
  if (/[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u.test(bare)) return false;
  return !(/\s/.test(bare) && /[A-Za-z]{3,}/.test(bare));
}

function asCode(formula: string, mark: string, besideCode: boolean): string {
  const line = formula.replace(/\n(?:[ \t]*>)*/g, ' ').trim();
  const inner = line.replaceAll('`', BACKTICK).replaceAll('|', BAR);
  return `${besideCode ? '\u2060' : ''}\`${mark}${inner}\``;
}
