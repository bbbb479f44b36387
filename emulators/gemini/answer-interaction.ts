import type { ServerResponse } from 'node:http';
import { scriptMove } from '../computer/script-move.ts';
import type { Control } from '../control.ts';
import type { Fault } from '../fault.ts';
import { planAnswer } from '../plan-answer.ts';
import { playScript } from '../play-script.ts';
import type { RequestRecord } from '../request-log.ts';
import type { Sights } from '../site/sights.ts';
import type { Ticker } from '../ticker.ts';
import { readHead, refuseAnswer } from './answer-generate.ts';
import { refuseAsOrdered, refuseInteraction } from './interactions-error.ts';
import { interactionsFormat } from './interactions-stream.ts';
import { InvalidArgument, type Json } from './invalid-argument.ts';
import type { KeptFiles } from './kept-files.ts';
import { readInteraction } from './read-interaction.ts';

interface World {
  control: Control;
  sights: Sights;
  ticker: Ticker;
  kept: KeptFiles;
}

/** Answers a request of the Interactions API: streamed, with a browser; nothing else of it is emulated. */
export async function answerInteraction(
  response: ServerResponse,
  body: Json,
  record: RequestRecord,
  world: World,
) {
  try {
    await answer(response, body, record, world);
  } catch (error) {
    if (!(error instanceof InvalidArgument || error instanceof SyntaxError)) throw error;
    refuseInteraction(response, 400, error.message);
  }
}

async function answer(
  response: ServerResponse,
  body: Json,
  record: RequestRecord,
  { control, sights, ticker, kept }: World,
) {
  const startedAt = performance.now();
  const asked = readInteraction(body, kept);
  if (!asked) return refuseInteraction(response, 404, `Model '${String(body.model)}' not found.`);
  if (body.stream !== true || body.tools === undefined) return refuseInteraction(response, 501);
  const { question, generate } = asked;
  const { model } = question;
  const planned = planAnswer(question, control);
  if (planned.scenario === null || planned.scenario.name === 'only-interactions') {
    planned.fault = null;
    planned.script = await scriptMove(generate, model, sights, control.pace().ttftMs);
  }
  const refuse = (fault: Fault) => refuseAsOrdered(response, fault, model);
  if (refuseAnswer(response, planned, record, refuse)) return;
  const { systemInstruction } = generate;
  const format = interactionsFormat(readHead({ question, systemInstruction }, planned));
  const onBreak = () => {
    record.brokenOff = true;
  };
  playScript({ response, script: planned.script, format, startedAt, onBreak }, ticker);
}
