import type { AskedTurn } from '../plan-answer.ts';

export type Language = 'zh' | 'en';

/** What a topic sees of a conversation. */
export interface Asked {
  /** The turns before this prompt. */
  earlier: AskedTurn[];
  prompt: string;
  model: string;
}

/** One kind of question and how it is answered, in both languages. */
export interface Topic {
  matches(asked: Asked): boolean;
  answer: Record<Language, (asked: Asked) => string>;
  thoughts?: Record<Language, string>;
}

const WIDE_LETTERS = /[\u3400-\u9fff]/g;
const NARROW_WORDS = /[A-Za-z]+/g;

/** The language to answer in: the one asked for by name, else the one most of the prompt is written in. */
export function detectLanguage(prompt: string): Language {
  if (/用英[文语]|in english/i.test(prompt)) return 'en';
  if (/用中文|in chinese/i.test(prompt)) return 'zh';
  const wide = prompt.match(WIDE_LETTERS)?.length ?? 0;
  const narrow = prompt.match(NARROW_WORDS)?.length ?? 0;
  return wide * 2 > narrow ? 'zh' : 'en';
}

const graphemes = new Intl.Segmenter('zh', { granularity: 'grapheme' });

/** The beginning of a text on one line, at most `length` characters as a reader counts them. */
export function shorten(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const kept = [];
  for (const { segment } of graphemes.segment(line)) {
    if (kept.length === length) return `${kept.join('')}…`;
    kept.push(segment);
  }
  return kept.join('');
}
