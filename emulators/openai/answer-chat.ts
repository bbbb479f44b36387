import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Collected, collectScript } from '../collect-script.ts';
import type { Control } from '../control.ts';
import { countTokens } from '../count-tokens.ts';
import { answerJson } from '../http-server.ts';
import { type PlannedAnswer, planAnswer } from '../plan-answer.ts';
import { playScript } from '../play-script.ts';
import type { RequestRecord } from '../request-log.ts';
import type { Ticker } from '../ticker.ts';
import { faultAnswer, openaiError } from './openai-error.ts';
import { type ChunkHead, chunkFormat, finishReason, presentUsage } from './openai-stream.ts';
import type { ChatQuestion } from './read-question.ts';

const MAX_WAIT_MS = 2_000;

/** One call of `chat/completions`. */
export interface ChatCall {
  question: ChatQuestion;
  streamed: boolean;
  includesUsage: boolean;
  startedAt: number;
  record: RequestRecord;
}

function readHead(call: ChatCall, planned: PlannedAnswer): ChunkHead {
  const { model, said } = call.question;
  const other = planned.scenario?.name === 'other-version';
  return {
    id: `chatcmpl-${randomBytes(12).toString('base64url')}`,
    model: other ? String(planned.scenario?.params.version ?? `${model}-2026-11-01`) : model,
    created: Math.floor(Date.now() / 1_000),
    promptTokens: countTokens(said),
    includesUsage: call.includesUsage,
    reasoningField: planned.scenario?.params.field === 'reasoning' ? 'reasoning' : 'reasoning_content',
  };
}

function presentCall({ id, name, args }: Collected['calls'][number]) {
  return { id: `call_${id}`, type: 'function', function: { name, arguments: args } };
}

async function answerWhole(response: ServerResponse, call: ChatCall, planned: PlannedAnswer) {
  const all = collectScript(planned.script);
  const head = readHead(call, planned);
  if (all.broken?.kind === 'silence') return;
  await wait(Math.min(all.at, MAX_WAIT_MS));
  if (all.broken?.kind === 'error')
    return answerJson(response, all.broken.status, openaiError(all.broken.status));
  if (all.broken?.kind === 'destroy') {
    call.record.brokenOff = true;
    response.destroy();
    return;
  }
  if (all.broken?.kind === 'raw') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"choices":[{"mess');
    return;
  }
  const blocked = all.broken?.kind === 'prompt-blocked';
  const message = {
    role: 'assistant',
    content: all.text === '' ? null : all.text,
    refusal: all.refusal === '' ? null : all.refusal,
    ...(all.reasoning === '' ? {} : { [head.reasoningField]: all.reasoning }),
    ...(all.calls.length === 0 ? {} : { tool_calls: all.calls.map(presentCall) }),
  };
  const ended = all.finish ? finishReason(all.finish, all.calls.length > 0) : null;
  const { id, created, model, promptTokens } = head;
  answerJson(response, 200, {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: blocked ? 'content_filter' : ended }],
    usage: presentUsage(
      all.usage?.inputTokens ?? promptTokens,
      all.usage?.outputTokens ?? all.textTokens,
      all.reasoningTokens,
    ),
  });
}

/** Answers a chat call, as its prompt and the control say. */
export async function answerChat(response: ServerResponse, call: ChatCall, control: Control, ticker: Ticker) {
  const planned = planAnswer(call.question, control);
  const { record, startedAt } = call;
  record.scenario = planned.scenario?.name ?? null;
  if (planned.scenario?.name === 'no-headers') return;
  if (planned.scenario?.name === 'drop-connection') {
    record.brokenOff = true;
    response.destroy();
    return;
  }
  if (planned.fault) {
    const { status, body, headers } = faultAnswer(planned.fault);
    return answerJson(response, status, body, headers);
  }
  if (!call.streamed) return answerWhole(response, call, planned);
  const onBreak = () => {
    record.brokenOff = true;
  };
  const format = chunkFormat(readHead(call, planned));
  playScript({ response, script: planned.script, format, startedAt, onBreak }, ticker);
}
