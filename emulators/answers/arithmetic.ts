import { calculate } from './calculate.ts';
import type { Topic } from './topic.ts';

const EXPRESSION = /[-(（]?\s*\d[\d\s.,()（）]*(?:[-+*/^×÷xX＋－%]\s*[-(（]*\s*\d[\d\s.,()（）]*)+/;
const DIGITS = 12;

interface Sum {
  shown: string;
  value: number | null;
}

const ASKS = /等于|多少|计算|算一?下|结果|=|what|calculate|compute|how much/i;
const PERCENT_OF = /(\d+(?:\.\d+)?)\s*%\s*of\s*(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)\s*的\s*(\d+(?:\.\d+)?)\s*%/i;

/** Whether a lone `3-5` between words is a range or a name rather than a sum. */
function isRange(prompt: string, expression: string): boolean {
  return /^[\d.]+-[\d.-]+$/.test(expression) && expression !== prompt.trim() && !ASKS.test(prompt);
}

function readPercentOf(prompt: string): Sum | null {
  const found = PERCENT_OF.exec(prompt);
  if (!found) return null;
  const percent = found[1] ?? found[4] ?? '';
  const whole = found[2] ?? found[3] ?? '';
  return { shown: `${whole} × ${percent}%`, value: (Number(whole) * Number(percent)) / 100 };
}

function readSum(prompt: string): Sum | null {
  const percent = readPercentOf(prompt);
  if (percent) return percent;
  const found = EXPRESSION.exec(prompt)?.[0]?.trim().replace(/[.,]$/, '');
  if (!found || isRange(prompt, found)) return null;
  const plain = found
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace(/[×xX]/g, '*')
    .replace(/÷/g, '/')
    .replace(/＋/g, '+')
    .replace(/－/g, '-')
    .replace(/（/g, '(')
    .replace(/）/g, ')')
    .replace(/\s+/g, '');
  const shown = plain
    .replace(/([+*/%])/g, ' $1 ')
    .replace(/(?<=[\d)])-/g, ' - ')
    .replace(/\*/g, '×')
    .replace(/\//g, '÷');
  return { shown, value: calculate(plain) };
}

/** Does the order of operations matter to this sum. */
function needsOrder(shown: string): boolean {
  return /[×÷]/.test(shown) && /[+(]| - /.test(shown);
}

function show(value: number): string {
  return String(Number(value.toPrecision(DIGITS)));
}

export const ARITHMETIC: Topic = {
  matches: ({ prompt }) => prompt.length < 120 && !prompt.includes('```') && readSum(prompt) !== null,
  answer: {
    zh: ({ prompt }) => {
      const sum = readSum(prompt);
      if (!sum || sum.value === null) return '这个算式我算不出来：请检查括号是否配对，以及有没有除以零。';
      const order = needsOrder(sum.shown) ? '先算括号里的，再算乘除，最后算加减。' : '';
      return `**${sum.shown} = ${show(sum.value)}**\n\n${order}还要接着算什么？`;
    },
    en: ({ prompt }) => {
      const sum = readSum(prompt);
      if (!sum || sum.value === null) {
        return 'I can’t work that one out. Please check that the brackets match and that nothing is divided by zero.';
      }
      const order = needsOrder(sum.shown)
        ? 'Brackets first, then multiplication and division, then addition and subtraction. '
        : '';
      return `**${sum.shown} = ${show(sum.value)}**\n\n${order}What shall we work out next?`;
    },
  },
};
