import { FILES } from '../files/files-topic.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { CODE } from './code.ts';
import { KNOWN_FACT } from './facts.ts';
import { GENERAL } from './general.ts';
import { IDEAS } from './ideas.ts';
import { LETTER } from './letter.ts';
import { LIVE_NEWS, TRANSLATION } from './limits.ts';
import { NAME_QUESTION, NAME_TOLD, RECAP } from './memory.ts';
import { PLAN } from './plan.ts';
import { POEM } from './poem.ts';
import { SHOWCASE } from './showcase.ts';
import { CAPABILITIES, GREETING, THANKS } from './small-talk.ts';
import { TABLE } from './table.ts';
import { type Asked, detectLanguage, type Language, type Topic } from './topic.ts';

/** The line that ends every answer, so that it is not taken for a model's. */
export const EMULATOR_LINE: Record<Language, string> = {
  zh: '本机模拟回答，未调用真实模型。',
  en: 'Answered by the local emulator; no real model was called.',
};

const TOPICS: Topic[] = [
  FILES,
  SHOWCASE,
  GREETING,
  THANKS,
  NAME_QUESTION,
  NAME_TOLD,
  RECAP,
  CAPABILITIES,
  TRANSLATION,
  ARITHMETIC,
  POEM,
  LETTER,
  KNOWN_FACT,
  LIVE_NEWS,
  CODE,
  TABLE,
  IDEAS,
  PLAN,
  GENERAL,
];

export interface Answered {
  answer: string;
  /** A summary of thinking, for a request that asks for one; null where a model would not think. */
  thoughts: string | null;
}

/** Answers a prompt in its own language, in Markdown. */
export function answerPrompt(asked: Asked): Answered {
  const language = detectLanguage(asked.prompt, asked.earlier);
  const topic = TOPICS.find((each) => each.matches(asked)) ?? GENERAL;
  const said = topic.answer[language](asked);
  return { answer: `${said}\n\n> ${EMULATOR_LINE[language]}`, thoughts: topic.thoughts?.[language] ?? null };
}
