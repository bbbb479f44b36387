import { randomBytes } from 'node:crypto';
import { countTokens } from '../count-tokens.ts';
import type { Script, Step } from '../script.ts';
import type { Sights } from '../site/sights.ts';
import { type Move, speakAction, vocabularyOf } from './action.ts';
import { chooseMove } from './choose-move.ts';
import { readGoal } from './read-goal.ts';

/** What a model does next in the browser of a request as `generateContent` has it; `at` is when, in milliseconds. */
export async function scriptMove(
  body: Record<string, unknown>,
  model: string,
  sights: Sights,
  at: number,
): Promise<Script> {
  const move = await chooseMove(readGoal(body), sights);
  return play([...stepsOf(move, model), { kind: 'finish', finish: { reason: 'stop' } }], at);
}

function* play(steps: Step[], at: number): Script {
  for (const step of steps) yield { at, step };
}

function stepsOf(move: Move, model: string): Step[] {
  if (move.kind === 'say') return [{ kind: 'text', text: move.text, tokens: countTokens(move.text) }];
  return speakAction(move, vocabularyOf(model)).map(({ name, args }) => {
    const text = JSON.stringify(args);
    const id = `call_${randomBytes(4).readUInt32BE()}`;
    return { kind: 'call', id, name, args: text, tokens: countTokens(name + text) };
  });
}
