import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { speakAction, vocabularyOf } from '../computer/action.ts';
import { chooseMove } from '../computer/choose-move.ts';
import { readGoal, wantsComputer } from '../computer/read-goal.ts';
import type { Control } from '../control.ts';
import { countTokens } from '../count-tokens.ts';
import { answerJson } from '../http-server.ts';
import { readCommand } from '../scenario.ts';
import type { Sights } from '../site/sights.ts';
import type { GenerateCall } from './answer-generate.ts';

type Json = Record<string, unknown>;

/**
 * Answers a request with the `computerUse` tool with what to do next on the demonstration site. False: it is none, or its prompt
 * orders a scenario, and nothing was answered.
 */
export async function answerComputer(
  response: ServerResponse,
  call: GenerateCall,
  body: Json,
  { control, sights }: { control: Control; sights: Sights },
): Promise<boolean> {
  if (!wantsComputer(body)) return false;
  const goal = readGoal(body);
  if (readCommand(goal.text) !== null || control.isOrdered(goal.text)) return false;
  const { model } = call.question;
  const move = await chooseMove(goal, sights);
  const parts = move.kind === 'say' ? [{ text: move.text }] : callParts(move, model);
  await wait(Math.max(0, call.startedAt + control.pace().ttftMs - performance.now()));
  present(response, call, parts, countTokens(goal.text));
  return true;
}

/** The first call of a turn has the signature, as Google signs them. */
function callParts(move: Parameters<typeof speakAction>[0], model: string): Json[] {
  return speakAction(move, vocabularyOf(model)).map((functionCall, at) => ({
    functionCall: { id: randomBytes(6).toString('base64url'), ...functionCall },
    ...(at === 0 ? { thoughtSignature: `sig/${model}/${randomBytes(12).toString('base64url')}` } : {}),
  }));
}

function present(response: ServerResponse, call: GenerateCall, parts: Json[], promptTokens: number) {
  const output = countTokens(JSON.stringify(parts));
  const whole = {
    candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: promptTokens,
      candidatesTokenCount: output,
      totalTokenCount: promptTokens + output,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: promptTokens }],
    },
    modelVersion: call.question.model,
    responseId: randomBytes(12).toString('base64url'),
  };
  if (call.framing === 'sse') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    return void response.end(`data: ${JSON.stringify(whole)}\r\n\r\n`);
  }
  answerJson(response, 200, call.framing === 'array' ? [whole] : whole);
}
