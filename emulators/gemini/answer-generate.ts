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
import { faultBody, geminiError } from './gemini-error.ts';
import { type AnswerHead, arrayFormat, blockedPrompt, finishReason, sseFormat } from './gemini-stream.ts';
import { readText } from './read-question.ts';

const LONGEST_WAIT_MS = 2_000;

/** One call of `generateContent` or `streamGenerateContent`. */
export interface GenerateCall {
  question: Question;
  systemInstruction: unknown;
  /** Null: not streamed. */
  framing: 'sse' | 'array' | null;
  startedAt: number;
  record: RequestRecord;
}

function readHead(call: GenerateCall, planned: PlannedAnswer): AnswerHead {
  const said = call.question.turns.map((turn) => turn.text).join('\n');
  const other = planned.scenario?.name === 'other-version';
  return {
    modelVersion: other
      ? String(planned.scenario?.params.version ?? 'gemini-3.8-flash-002')
      : call.question.model,
    promptTokens: countTokens(said) + countTokens(readText(call.systemInstruction)),
    responseId: randomBytes(12).toString('base64url'),
  };
}

function presentCollected(all: Collected, head: AnswerHead) {
  const parts = [
    ...(all.reasoning === '' ? [] : [{ text: all.reasoning, thought: true }]),
    ...(all.text + all.refusal === '' ? [] : [{ text: all.text + all.refusal }]),
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
  await wait(Math.min(all.at, LONGEST_WAIT_MS));
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

/** Answers a call for text, as its prompt and the control say. */
export async function answerGenerate(
  response: ServerResponse,
  call: GenerateCall,
  control: Control,
  ticker: Ticker,
) {
  const planned = planAnswer(call.question, control);
  const { record, startedAt, framing } = call;
  record.scenario = planned.scenario?.name ?? null;
  if (planned.scenario?.name === 'no-headers') return;
  if (planned.scenario?.name === 'drop-connection') {
    record.brokenOff = true;
    response.destroy();
    return;
  }
  if (planned.fault) {
    return answerJson(response, planned.fault.status, faultBody(planned.fault, call.question.model));
  }
  if (framing === null) return answerWhole(response, call, planned);
  const format = (framing === 'sse' ? sseFormat : arrayFormat)(readHead(call, planned));
  const onBreak = () => {
    record.brokenOff = true;
  };
  playScript({ response, script: planned.script, format, startedAt, onBreak }, ticker);
}
