import type { UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import { type AnswerReader, type FinishKind, readTokenCount } from '../transport/answer-reader.ts';
import { asObject } from '../transport/provider-refusal.ts';
import type { CallsReader } from './openai-calls.ts';
import { readOpenaiError } from './openai-refusal.ts';
import { parseChunk } from './parse-chunk.ts';

interface Delta {
  content?: unknown;
  refusal?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  tool_calls?: unknown;
}

/** The parts of a `chat.completion.chunk` that we read. Nothing of it is sure: it comes from outside. */
interface OpenaiChunk {
  choices?: ({ delta?: Delta | null; finish_reason?: unknown } | null)[];
  usage?: Record<string, unknown> | null;
  model?: unknown;
  error?: unknown;
}

const DONE = '[DONE]';

/** A value that is not here is some vendor's fault code and never success. */
const FINISH_KINDS = new Map<string, FinishKind>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'blocked'],
  ['sensitive', 'blocked'],
  ['tool_calls', 'stop'],
]);

function readUsage(usage: Record<string, unknown>, answer: AnswerReader) {
  const input = readTokenCount(usage.prompt_tokens);
  const output = readTokenCount(usage.completion_tokens);
  const reasoning = readTokenCount(asObject(usage.completion_tokens_details).reasoning_tokens ?? 0);
  const cached = readTokenCount(asObject(usage.prompt_tokens_details).cached_tokens ?? 0);
  if (input === null || output === null || reasoning === null || cached === null) return;
  answer.setUsage({
    inputTokens: input,
    outputTokens: output,
    reasoningTokens: reasoning,
    cachedInputTokens: cached,
  });
}

function readDelta(delta: Delta, answer: AnswerReader, calls: CallsReader) {
  const reasoning = delta.reasoning_content ?? delta.reasoning;
  if (typeof reasoning === 'string') answer.addReasoning(reasoning);
  if (typeof delta.content === 'string') answer.addText(delta.content);
  if (typeof delta.refusal === 'string') answer.addText(delta.refusal);
  if (!delta.tool_calls) return;
  const before = calls.length;
  calls.add(delta.tool_calls);
  answer.limitLength(calls.length);
  if (calls.length > before) answer.begin();
}

interface Reading {
  route: UpstreamRoute;
  calls: CallsReader;
}

/** Reads one event into the answer; true at `[DONE]`, after which nothing matters. */
export function readOpenaiEvent(data: string, answer: AnswerReader, { route, calls }: Reading): boolean {
  if (data.startsWith(DONE)) return true;
  const chunk: OpenaiChunk = parseChunk(data);
  if (chunk.error !== undefined && chunk.error !== null) throw readOpenaiError(chunk, null, route);
  if (typeof chunk.model === 'string' && chunk.model !== '') answer.modelVersion = chunk.model;
  if (typeof chunk.usage === 'object' && chunk.usage !== null) readUsage(chunk.usage, answer);
  const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  if (choice?.delta) readDelta(choice.delta, answer, calls);
  const finish = choice?.finish_reason;
  if (typeof finish === 'string' && finish !== '')
    answer.setFinish(FINISH_KINDS.get(finish) ?? 'other', finish);
  return false;
}
