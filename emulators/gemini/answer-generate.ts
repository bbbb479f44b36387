import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Collected, collectScript } from '../collect-script.ts';
import type { Control } from '../control.ts';
import { countTokens } from '../count-tokens.ts';
import { answerJson } from '../http-server.ts';
import { type PlannedAnswer, planAnswer, type Question } from '../plan-answer.ts';
import { playScript } from '../play-script.ts';
import type { RequestRecord } from '../request-log.ts';
import type { Ticker } from '../ticker.ts';
import { answerPicture } from './answer-picture.ts';
import { faultBody, geminiError } from './gemini-error.ts';
import {
  type AnswerHead,
  arrayFormat,
  blockedPrompt,
  finishReason,
  presentCall,
  sseFormat,
} from './gemini-stream.ts';
import { readText } from './read-question.ts';

type Fault = NonNullable<PlannedAnswer['fault']>;

const MAX_WAIT_MS = 2_000;

/** One call of `generateContent` or `streamGenerateContent`. */
export interface GenerateCall {
  question: Question;
  systemInstruction: unknown;
  /** Null: not streamed. */
  framing: 'sse' | 'array' | null;
  startedAt: number;
  record: RequestRecord;
}

/** What an answer says of itself. */
export function readHead(
  call: Pick<GenerateCall, 'question' | 'systemInstruction'>,
  planned: PlannedAnswer,
): AnswerHead {
  const said = call.question.turns.map((turn) => turn.text).join('\n');
  const other = planned.scenario?.name === 'other-version';
  return {
    modelVersion: other
      ? String(planned.scenario?.params.version ?? 'gemini-3.8-flash-002')
      : call.question.model,
    model: call.question.model,
    promptTokens: countTokens(said) + countTokens(readText(call.systemInstruction)),
    responseId: randomBytes(12).toString('base64url'),
  };
}

function presentCollected(all: Collected, head: AnswerHead) {
  const parts = [
    ...(all.reasoning === '' ? [] : [{ text: all.reasoning, thought: true }]),
    ...all.parts,
    ...(all.text + all.refusal === '' ? [] : [{ text: all.text + all.refusal }]),
    ...all.calls.map((call, index) => presentCall(call, index === 0 ? head.model : null)),
  ];
  const input = all.usage?.inputTokens ?? head.promptTokens;
  const output = all.usage?.outputTokens ?? all.textTokens;
  const token = all.finish?.reason === 'continued' ? { continuationToken: all.finish.token } : {};
  return {
    candidates: [
      {
        ...(parts.length > 0 ? { content: { parts, role: 'model' } } : {}),
        ...(all.finish ? { finishReason: finishReason(all.finish) } : {}),
        ...token,
        ...all.metadata,
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output + all.reasoningTokens,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
      ...(all.reasoningTokens > 0 ? { thoughtsTokenCount: all.reasoningTokens } : {}),
    },
    modelVersion: head.modelVersion,
    responseId: head.responseId,
  };
}

async function answerWhole(response: ServerResponse, call: GenerateCall, planned: PlannedAnswer) {
  const all = collectScript(planned.script);
  const head = readHead(call, planned);
  if (all.broken?.kind === 'silence') return;
  await wait(Math.min(all.at, MAX_WAIT_MS));
  if (all.broken?.kind === 'prompt-blocked') return answerJson(response, 200, blockedPrompt(head));
  if (all.broken?.kind === 'error') {
    const { status } = all.broken;
    return answerJson(
      response,
      status,
      geminiError(status, 'The model is overloaded. Please try again later.'),
    );
  }
  if (all.broken?.kind === 'raw') {
    response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' });
    response.end('{"candidates":[{"content":{"parts":[{"te');
    return;
  }
  if (all.broken?.kind === 'destroy') {
    call.record.brokenOff = true;
    response.destroy();
    return;
  }
  answerJson(response, 200, presentCollected(all, head));
}

/** Carries out what a scenario wants in place of an answer; false: it wants an answer. `refuse` answers with a refusal. */
export function refuseAnswer(
  response: ServerResponse,
  { scenario, fault }: PlannedAnswer,
  record: RequestRecord,
  refuse: (fault: Fault) => void,
): boolean {
  record.scenario = scenario?.name ?? null;
  if (scenario?.name === 'no-headers') return true;
  if (scenario?.name === 'drop-connection') {
    record.brokenOff = true;
    response.destroy();
    return true;
  }
  if (fault) refuse(fault);
  return fault !== null;
}

/** Answers a call for text, as its prompt and the control say. */
export async function answerGenerate(
  response: ServerResponse,
  call: GenerateCall,
  control: Control,
  ticker: Ticker,
) {
  const planned = planAnswer(call.question, control);
  const { record, startedAt, framing } = call;
  const refuse = (fault: Fault) => answerJson(response, fault.status, faultBody(fault, call.question.model));
  if (refuseAnswer(response, planned, record, refuse)) return;
  if (framing === null) return answerWhole(response, call, planned);
  if (framing === 'sse') planned.script = (await answerPicture(call.question, planned)) ?? planned.script;
  const format = (framing === 'sse' ? sseFormat : arrayFormat)(readHead(call, planned));
  const onBreak = () => {
    record.brokenOff = true;
  };
  playScript({ response, script: planned.script, format, startedAt, onBreak }, ticker);
}
