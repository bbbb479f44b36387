import { readCommand } from './scenario.ts';

const ASKED = /<question>\s*([\s\S]*?)\s*<\/question>/;
const POLITE =
  /^(?:(?:请|帮我|麻烦|给我|能不能|可不可以|怎样|怎么|如何|什么是|为什么|讲讲|说说|please|can you|could you|how (?:do|can|should) (?:i|we|you)|what is|what are|tell me|give me|help me|explain)[\s,，]*)+/i;
const LAST_MARKS = /[\s?？!！.。,，;；:：…]+$/;
const CHARACTERS = 14;
const WORDS = 6;

/** Whether a system instruction asks for the title of what is in the prompt. */
export function isTitleWanted(system: string): boolean {
  return /\bwrite (a |the )?titles?\b/i.test(system);
}

/** A title for what a prompt shows between its tags, in its language: the matter, without what is said around it. */
export function writeTitle(prompt: string): string {
  const question = ASKED.exec(prompt)?.[1] ?? prompt;
  const said = (readCommand(question)?.rest ?? question).split(/[\r\n]/, 1)[0] ?? '';
  const matter = said.trim().replace(POLITE, '').replace(LAST_MARKS, '') || said.trim();
  const clause = matter.split(/[，。；！？;!?]|[,.]\s/, 1)[0] ?? matter;
  const short = /\p{Script=Han}/u.test(clause)
    ? clause.slice(0, CHARACTERS)
    : clause.split(/\s+/).slice(0, WORDS).join(' ');
  return short.charAt(0).toUpperCase() + short.slice(1);
}
