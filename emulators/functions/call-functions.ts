import { randomBytes } from 'node:crypto';
import { EMULATOR_LINE } from '../answers/answer-prompt.ts';
import { detectLanguage } from '../answers/topic.ts';
import { numberParam, type Scenario } from '../scenario.ts';
import { sampleValue, thingsIn } from './sample-value.ts';

/** A function that a request offers; `parameters` is a JSON Schema. */
export interface OfferedFunction {
  name: string;
  description: string;
  parameters: unknown;
}

/** What a request says of functions, and how far their calls have come since its last words. */
export interface Offer {
  functions: OfferedFunction[];
  choice: 'auto' | 'none' | 'required' | { name: string };
  isParallel: boolean;
  /** How often functions were called and answered already. */
  rounds: number;
  /** What the last calls came to. */
  results: { name: string; output: string }[];
}

/** A call as a model makes it; `args` is JSON text. */
export interface MadeCall {
  id: string;
  name: string;
  args: string;
}

export const NOTHING_OFFERED: Offer = {
  functions: [],
  choice: 'auto',
  isParallel: true,
  rounds: 0,
  results: [],
};
const MAX_AT_ONCE = 4;

/**
 * The calls that answer a prompt: of the function that was demanded, or of those that it is about; one for each thing that it names.
 * Once they are answered the rest is said in words, unless the scenario wants more `steps`.
 */
export function callFunctions(offer: Offer, prompt: string, scenario: Scenario | null): MadeCall[] {
  const { functions, choice, rounds, isParallel } = offer;
  const staged = scenario?.name === 'calls' ? scenario : null;
  if (functions.length === 0 || choice === 'none' || rounds >= numberParam(staged, 'steps', 1)) return [];
  const wanted = functions.filter((each) => isWanted(each, offer, prompt, staged));
  const chosen = wanted.length > 0 || (choice === 'auto' && !staged) ? wanted : functions.slice(0, 1);
  const things = thingsIn(prompt).length;
  const times = numberParam(staged, 'count', chosen.length === 1 ? Math.max(1, things) : 1);
  const calls = chosen.flatMap((each) =>
    Array.from({ length: Math.min(times, staged ? times : MAX_AT_ONCE) }, (_, turn) => ({
      id: randomBytes(6).toString('hex'),
      name: each.name,
      args: JSON.stringify(sampleValue(each.parameters, prompt, turn) ?? {}),
    })),
  );
  return isParallel ? calls : calls.slice(0, 1);
}

function isWanted(
  { name, description }: OfferedFunction,
  { choice }: Offer,
  prompt: string,
  staged: Scenario | null,
) {
  if (typeof choice === 'object') return name === choice.name;
  if (staged?.params.name !== undefined) return name === staged.params.name;
  const said = prompt.toLowerCase();
  const words = name.split(/[^A-Za-z]+|(?=[A-Z])/).filter((word) => word.length >= 4);
  const pairs = [...description.matchAll(/(?=(\p{Script=Han}{2}))/gu)].map(([, pair = '']) => pair);
  return [...words, ...pairs].some((word) => said.includes(word.toLowerCase()));
}

/** An answer in the form that was asked for, or one that says what calls came to; null for any other. */
export function formAnswer(
  { offer, format }: { offer?: Offer | undefined; format?: { schema?: unknown } | null | undefined },
  prompt: string,
): string | null {
  if (format) return JSON.stringify(format.schema ? sampleValue(format.schema, prompt) : { answer: prompt });
  const { results } = offer ?? NOTHING_OFFERED;
  if (results.length === 0) return null;
  const language = detectLanguage(prompt);
  const lines = results.map(({ name, output }) => `- \`${name}\`: ${output.slice(0, 400)}`).join('\n');
  const head = language === 'zh' ? '函数返回了这些结果：' : 'The functions answered:';
  return `${head}\n\n${lines}\n\n> ${EMULATOR_LINE[language]}`;
}
