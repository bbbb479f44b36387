import type { FinishReason } from '#contract/chat.ts';
import type { Completion, CompletionUsage } from '#contract/openai.ts';
import type { FeedEvent } from '#server/chat/generation/feed.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
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
export function presentFinish({ status, finishReason }: ExchangeRow): FinishReason {
  return status === 'stopped' ? 'length' : (finishReason ?? 'stop');
}

/** A whole answer. */
export function presentCompletion(row: ExchangeRow, reasoning: string): Completion {
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
          content: row.response,
          refusal: null,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
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
  return {
    piece({ field, json }: Piece): string {
      const delta = `{${role}"${field}":${json}}`;
      role = '';
      return `${head}[{"index":0,"delta":${delta},"finish_reason":null}]}\n\n`;
    },
    finish(reason: FinishReason): string {
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

/** A piece of an answer; `json` is its text as a JSON string. */
export interface Piece {
  field: 'content' | 'reasoning_content';
  json: string;
}

const FIELDS: Record<string, Piece['field']> = { text: 'content', reasoning: 'reasoning_content' };
const HEAD = '{"text":'.length;

/** What an event of an answer adds to it, without parsing its text; null for a notice. */
export function readPiece({ type, data }: FeedEvent): Piece | null {
  const field = FIELDS[type];
  return field ? { field, json: data.slice(HEAD, -1) } : null;
}
