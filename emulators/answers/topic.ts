import type { SeenFile } from '../files/seen-file.ts';
import type { AskedTurn } from '../plan-answer.ts';

export type Language = 'zh' | 'en';

/** What a topic sees of a conversation. */
export interface Asked {
  /** The turns before this prompt. */
  earlier: AskedTurn[];
  prompt: string;
  model: string;
  /** What the whole request gives the model to read. */
  files?: SeenFile[];
}

/** One kind of question and how it is answered, in both languages. */
export interface Topic {
  matches(asked: Asked): boolean;
  answer: Record<Language, (asked: Asked) => string>;
  thoughts?: Record<Language, string>;
}

const WIDE_LETTERS = /[\u3400-\u9fff]/g;
const NARROW_WORDS = /[A-Za-z]+/g;

function countLetters(text: string) {
  return { wide: text.match(WIDE_LETTERS)?.length ?? 0, narrow: text.match(NARROW_WORDS)?.length ?? 0 };
}

/** The language to answer in: one asked for by name, else what most of the prompt, or else the talk before it, is written in. */
export function detectLanguage(prompt: string, earlier: AskedTurn[] = []): Language {
  if (/用英[文语](回|说|写|答)|in english/i.test(prompt)) return 'en';
  if (/用中文|in chinese/i.test(prompt)) return 'zh';
  const said = [prompt, ...earlier.map((turn) => turn.text).reverse()].map(countLetters);
  const clear = said.find(({ wide, narrow }) => wide + narrow > 0);
  return clear && clear.narrow > clear.wide * 2 ? 'en' : 'zh';
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
