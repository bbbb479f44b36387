import { SCENARIO_NAMES } from '../scenario.ts';
import { EMULATOR_LINE } from './answer-prompt.ts';
import { detectLanguage } from './topic.ts';

/** Lists what can be staged, for a `/emulate` without a known name; `prompt` is the rest, for its language. */
export function listScenarios(prompt: string): string {
  const language = detectLanguage(prompt);
  const names = SCENARIO_NAMES.map((name) => `- \`/emulate ${name}\``).join('\n');
  const head =
    language === 'zh'
      ? '可以模拟这些情况，把命令写在问题前面即可，例如 `/emulate slow-first-token ms=5000 你好`。\n\nThese can be staged; put the command before your question.'
      : 'These can be staged; put the command before your question, as in `/emulate slow-first-token ms=5000 Hello`.';
  return `${head}\n\n${names}\n\n> ${EMULATOR_LINE[language]}`;
}
