import { detectLanguage, shorten } from './answers/topic.ts';
import { readCommand } from './scenario.ts';

const ASKED = /<question>\s*([\s\S]*?)\s*<\/question>/;

/** Whether a system instruction asks for the questions that may follow what is in the prompt. */
export function areFollowUpsWanted(system: string): boolean {
  return /\bask next\b/i.test(system);
}

/** Three questions that may follow the one that a prompt shows between its tags, in its language. */
export function writeFollowUps(prompt: string): string {
  const question = ASKED.exec(prompt)?.[1] ?? prompt;
  const matter = shorten(readCommand(question)?.rest || question, 12).replace(/[?？。.!！]+$/, '');
  const lines =
    detectLanguage(question) === 'zh'
      ? ['能举一个具体的例子吗？', `“${matter}”最容易弄错的地方是什么？`, '接下来第一步该做什么？']
      : [
          'Can you give a concrete example?',
          `What goes wrong most often with “${matter}”?`,
          'What is the first step from here?',
        ];
  return lines.join('\n');
}
