import type { AnswerPart } from '#contract/message/parts.ts';
import type { AnswerImage, Completion, CompletionFinish, CompletionUsage } from '#contract/openai.ts';
import { type FeedEvent, PartEvent } from '#server/chat/generation/feed.ts';
import { readParts } from '#server/chat/message-store/message-parts.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { presentAnnotations } from './answer/present-annotations.ts';
import { callsOf, presentCallDeltas, presentCalls } from './answer/present-calls.ts';
import type { ExchangeRow } from './store.ts';

type Head = Pick<ExchangeRow, 'id' | 'model' | 'createdAt'>;

/** The id of an answer on OpenAI's wire; ours is what follows the mark. */
function presentId(messageId: string): string {
  return `chatcmpl-${messageId}`;
}

/** Tokens as the provider counted them, or as we estimate them; the price beside them. */
export function presentUsage(row: ExchangeRow): CompletionUsage {
  const { usage } = row;
  const prompt = usage?.inputTokens ?? row.promptTokens;
  const answer = usage?.outputTokens ?? estimateTokens(row.response);
  return {
    prompt_tokens: prompt,
    completion_tokens: answer,
    total_tokens: prompt + answer,
    prompt_tokens_details: { cached_tokens: usage?.cachedInputTokens ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage?.reasoningTokens ?? 0 },
    credits_charged: row.creditsUsed,
  };
}

/** Why the answer ended. One that was stopped midway is `length`: OpenAI has no word for it. */
export function presentFinish(row: ExchangeRow): CompletionFinish {
  const { status, finishReason } = row;
  if (status === 'stopped') return 'length';
  if (finishReason === 'length' || finishReason === 'content_filter') return finishReason;
  return callsOf(partsOf(row)).length > 0 ? 'tool_calls' : 'stop';
}

/** The parts of an answer; none where it is text alone. */
export function partsOf({ output, response }: ExchangeRow): AnswerPart[] {
  return readParts(output, response) ?? [];
}

/** A whole answer. */
export function presentCompletion(row: ExchangeRow, reasoning: string, images: AnswerImage[]): Completion {
  const parts = partsOf(row);
  const calls = presentCalls(row.id, parts);
  const annotations = presentAnnotations(parts, row.response);
  return {
    id: presentId(row.id),
    object: 'chat.completion',
    created: Math.floor(row.createdAt.getTime() / 1000),
    model: row.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: calls && row.response === '' ? null : row.response,
          refusal: null,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          ...(calls ? { tool_calls: calls } : {}),
          ...(annotations ? { annotations } : {}),
          ...(images.length > 0 ? { images } : {}),
        },
        logprobs: null,
        finish_reason: presentFinish(row),
      },
    ],
    usage: presentUsage(row),
  };
}

/** The frames of one streamed answer. The part that all of them share is built once. */
export function presentChunks({ id, model, createdAt }: Head) {
  const created = Math.floor(createdAt.getTime() / 1000);
  const shared = { id: presentId(id), object: 'chat.completion.chunk', created, model };
  const head = `data: ${JSON.stringify(shared).slice(0, -1)},"choices":`;
  let role = '"role":"assistant",';
  let calls = 0;
  const frame = (fields: string) => {
    const delta = `{${role}${fields}}`;
    role = '';
    return `${head}[{"index":0,"delta":${delta},"finish_reason":null}]}\n\n`;
  };
  return {
    /** What an event of the answer adds to it, without parsing its text; empty for what no caller is sent. */
    event(event: FeedEvent): string {
      const field = FIELDS[event.type];
      if (field) return frame(`"${field}":${event.data.slice(HEAD, -1)}`);
      const part = readPart(event);
      if (part?.kind !== 'call') return '';
      calls += 1;
      return presentCallDeltas(id, calls - 1, part)
        .map(frame)
        .join('');
    },
    /** What is known at the end alone. */
    rest(row: ExchangeRow): string {
      const annotations = presentAnnotations(partsOf(row), row.response);
      return annotations ? frame(`"annotations":${JSON.stringify(annotations)}`) : '';
    },
    image(image: AnswerImage): string {
      return frame(`"images":[${JSON.stringify(image)}]`);
    },
    finish(reason: CompletionFinish): string {
      return `${head}[{"index":0,"delta":{},"finish_reason":"${reason}"}]}\n\n`;
    },
    usage(usage: CompletionUsage): string {
      return `${head}[],"usage":${JSON.stringify(usage)}}\n\n`;
    },
    fault(body: unknown): string {
      return `data: ${JSON.stringify(body)}\n\n`;
    },
    done: 'data: [DONE]\n\n',
  };
}

const FIELDS: Record<string, 'content' | 'reasoning_content'> = {
  text: 'content',
  reasoning: 'reasoning_content',
};
const HEAD = '{"text":'.length;

/** Whether an event says something to the caller. */
export function isSaid(event: FeedEvent): boolean {
  const kind = readPart(event)?.kind;
  return FIELDS[event.type] !== undefined || kind === 'call' || kind === 'image';
}

/** What the model let be seen of its thinking. */
export function readReasoning(events: readonly FeedEvent[]): string {
  return events
    .map(({ type, data }) => (type === 'reasoning' ? JSON.parse(data.slice(HEAD, -1)) : ''))
    .join('');
}

/** The part that an event brings; null where it brings text, thinking or a notice. */
function readPart(event: FeedEvent): AnswerPart | null {
  if (event instanceof PartEvent) return event.part;
  return event.type === 'part' ? (JSON.parse(event.data) as { part: AnswerPart }).part : null;
}
