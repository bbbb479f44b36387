import { answerPrompt } from './answers/answer-prompt.ts';
import { listScenarios } from './answers/list-scenarios.ts';
import { writeLongAnswer } from './answers/long-answer.ts';
import { writeRoughAnswer } from './answers/rough-answer.ts';
import type { Control } from './control.ts';
import { type Fault, readFault } from './fault.ts';
import type { SeenFile } from './files/seen-file.ts';
import { numberParam, type Scenario } from './scenario.ts';
import type { Script } from './script.ts';
import { writeScript, writeWork } from './write-script.ts';
import { isTitleWanted, writeTitle } from './write-title.ts';

export interface AskedTurn {
  role: 'user' | 'model';
  text: string;
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
}

export interface PlannedAnswer {
  scenario: Scenario | null;
  fault: Fault | null;
  script: Script;
}

/** Decides how a question is answered: by a command in its prompt, by a rule of the control, as work, or plainly. */
export function planAnswer(question: Question, control: Control): PlannedAnswer {
  const earlier = question.turns.slice(0, -1);
  const asked = question.turns.at(-1)?.text ?? '';
  const isTitle = isTitleWanted(question.system);
  // A command in the conversation that is to be named was meant for its answer.
  const order = control.take(isTitle ? asked.replaceAll('/emulate', '') : asked);
  const { scenario } = order;
  const work = control.work();
  const fault = readFault(scenario);
  if (work && !scenario) return { scenario, fault, script: writeWork(work) };
  const plain = order.listNames
    ? { answer: listScenarios(order.prompt), thoughts: null }
    : answerPrompt({ earlier, prompt: order.prompt, model: question.model, files: question.files });
  const answer = isTitle ? writeTitle(asked) : (writtenAnswer(scenario, order.prompt) ?? plain.answer);
  const speech = {
    answer,
    thoughts: question.wantsThoughts ? plain.thoughts : null,
    scenario,
    pace: control.pace(),
    part: question.part,
  };
  return { scenario, fault, script: writeScript(speech) };
}

/** The answer of a scenario that is about what is said; null of one that is about how. */
function writtenAnswer(scenario: Scenario | null, prompt: string): string | null {
  if (scenario?.name === 'long-answer')
    return writeLongAnswer(prompt, numberParam(scenario, 'characters', 8_000));
  if (scenario?.name === 'rough-answer') return writeRoughAnswer(String(scenario.params.kind));
  return null;
}
