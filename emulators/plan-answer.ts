import { answerPrompt, EMULATOR_LINE } from './answers/answer-prompt.ts';
import { listScenarios } from './answers/list-scenarios.ts';
import { writeLongAnswer } from './answers/long-answer.ts';
import { writeRoughAnswer } from './answers/rough-answer.ts';
import { detectLanguage } from './answers/topic.ts';
import type { Control } from './control.ts';
import { type Fault, readFault } from './fault.ts';
import type { SeenFile } from './files/seen-file.ts';
import { callFunctions, formAnswer, NOTHING_OFFERED, type Offer } from './functions/call-functions.ts';
import { playTools, type UsedTools } from './gemini/play-tools.ts';
import { numberParam, type Scenario } from './scenario.ts';
import type { Script } from './script.ts';
import { areFollowUpsWanted, writeFollowUps } from './write-follow-ups.ts';
import { writeScript, writeWork } from './write-script.ts';
import { isTitleWanted, writeTitle } from './write-title.ts';

export interface AskedTurn {
  role: 'user' | 'model';
  text: string;
}

/** Tools of the provider's own that it may use; `echoes`: their calls are parts of the answer. */
export interface OfferedTools {
  search: boolean;
  addresses: boolean;
  code: boolean;
  echoes: boolean;
}

export interface Question {
  /** The conversation, ending with the user's turn. */
  turns: AskedTurn[];
  /** What the system instruction says; empty without one. */
  system: string;
  model: string;
  wantsThoughts: boolean;
  /** The part to go on with, when the request brought a continuation token; else 0. */
  part: number;
  /** Pictures and documents that it gives the model to read, in their order. */
  files: SeenFile[];
  /** Functions that it may call, and what calls came to. */
  offer?: Offer | undefined;
  /** It is to be JSON, by a schema where there is one. */
  format?: { schema?: unknown } | null | undefined;
  /** Of a model that makes pictures: what is asked for, and the newest picture of the request. */
  picture?: { ratio: string | null; size: string; base: Buffer | null } | null;
  tools?: OfferedTools;
  /** How much it is to think; null: as it finds right. */
  effort?: 'low' | 'medium' | 'high' | null;
}

export interface PlannedAnswer {
  scenario: Scenario | null;
  fault: Fault | null;
  script: Script;
}

/** Decides how a question is answered: by a command in its prompt, by a rule of the control, as work, or plainly. */
export function planAnswer(question: Question, control: Control): PlannedAnswer {
  const earlier = question.turns.slice(0, -1);
  const { offer = NOTHING_OFFERED } = question;
  // The results of calls come in a turn without words: what was asked is before them.
  const asked = question.turns.findLast(({ role, text }) => role === 'user' && text !== '')?.text ?? '';
  const aside = asideOf(question.system);
  // A command in the conversation that is looked at was meant for its answer.
  const order = control.take(aside ? asked.replaceAll('/emulate', '') : asked);
  const { scenario } = order;
  const work = control.work();
  const fault = readFault(scenario);
  if (work && !scenario) return { scenario, fault, script: writeWork(work) };
  const plain = order.listNames
    ? { answer: listScenarios(order.prompt), thoughts: null }
    : answerPrompt({ earlier, prompt: order.prompt, model: question.model, files: question.files });
  const used = aside || scenario ? null : playTools(question, order.prompt);
  const answer = aside
    ? aside(asked)
    : (writtenAnswer(scenario, order.prompt, question.files) ??
      formAnswer(question, order.prompt) ??
      withTools(used, plain.answer, order.prompt));
  const speech = {
    answer,
    used,
    thoughts: aside ? null : thoughtsOf(question, plain.thoughts),
    scenario,
    pace: control.pace(),
    part: question.part,
    calls: aside ? [] : callFunctions(offer, order.prompt, scenario),
  };
  return { scenario, fault, script: writeScript(speech) };
}

/** The answer of a scenario that is about what is said; null of one that is about how. */
function writtenAnswer(scenario: Scenario | null, prompt: string, files: SeenFile[]): string | null {
  if (scenario?.name === 'long-answer')
    return writeLongAnswer(prompt, numberParam(scenario, 'characters', 8_000));
  if (scenario?.name === 'rough-answer') return writeRoughAnswer(String(scenario.params.kind));
  if (scenario?.name === 'seen-files') return JSON.stringify(files);
  return null;
}

/** What a request is answered with that is about a conversation, not of it. */
function asideOf(system: string): ((prompt: string) => string) | null {
  if (isTitleWanted(system)) return writeTitle;
  return areFollowUpsWanted(system) ? writeFollowUps : null;
}

function withTools(used: UsedTools | null, answer: string, prompt: string): string {
  return used?.answer ? `${used.answer}\n\n> ${EMULATOR_LINE[detectLanguage(prompt)]}` : answer;
}

const MUCH_THOUGHT =
  '**Weighing it up**\n\nTwo readings are possible. I compare them, check the weaker one against what was said before, and keep what both have in common.\n\n**再检查一遍**\n\n换一个角度验算结论，确认没有遗漏的前提。';

/** The summary of what is thought, where it is asked for: none with little effort, more with much. */
function thoughtsOf({ wantsThoughts, effort }: Question, thoughts: string | null): string | null {
  if (!wantsThoughts || effort === 'low') return null;
  return effort === 'high' ? [...(thoughts ? [thoughts] : []), MUCH_THOUGHT].join('\n\n') : thoughts;
}
