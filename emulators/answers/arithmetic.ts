import { calculate } from './calculate.ts';
import type { Topic } from './topic.ts';

const EXPRESSION = /[-(（]?\s*\d[\d\s.,()（）]*(?:[-+*/^×÷xX＋－%]\s*[-(（]*\s*\d[\d\s.,()（）]*)+/;
const DIGITS = 12;

interface Sum {
  shown: string;
  value: number | null;
}

function readSum(prompt: string): Sum | null {
  const found = EXPRESSION.exec(prompt)?.[0]?.trim().replace(/[.,]$/, '');
  if (!found || /^\d{4}-\d{1,2}-\d{1,2}$/.test(found)) return null;
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

function show(value: number): string {
  return String(Number(value.toPrecision(DIGITS)));
}

export const ARITHMETIC: Topic = {
  matches: ({ prompt }) => prompt.length < 120 && !prompt.includes('```') && readSum(prompt) !== null,
  answer: {
    zh: ({ prompt }) => {
      const sum = readSum(prompt);
      if (!sum || sum.value === null) return '这个算式我算不出来：请检查括号是否配对，以及有没有除以零。';
      return `**${sum.shown} = ${show(sum.value)}**\n\n先算括号里的，再算乘除，最后算加减。需要我把中间步骤一步步写出来吗？`;
    },
    en: ({ prompt }) => {
      const sum = readSum(prompt);
      if (!sum || sum.value === null) {
        return 'I can’t work that one out. Please check that the brackets match and that nothing is divided by zero.';
      }
      return `**${sum.shown} = ${show(sum.value)}**\n\nBrackets first, then multiplication and division, then addition and subtraction. Would you like to see every step?`;
    },
  },
};
