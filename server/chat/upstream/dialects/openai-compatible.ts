import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { AnswerReader, maxCallsOf } from '../transport/answer-reader.ts';
import type { Dialect } from '../transport/dialect.ts';
import type { HttpPool } from '../transport/http-pool.ts';
import { concludeAnswer, streamAnswer } from '../transport/stream-answer.ts';
import { sayPart } from '../transport/turn-parts.ts';
import { CallsReader } from './openai-calls.ts';
import { readOpenaiEvent } from './openai-events.ts';
import { readOpenaiRefusal } from './openai-refusal.ts';
import { chatBody, openaiPost } from './openai-request.ts';

/** Tokens that a chat template adds to each turn. */
const TOKENS_PER_TURN = 4;

/** Any endpoint that speaks OpenAI's chat completions, with the differences that its route names. */
export function createOpenaiDialect(pool: HttpPool): Dialect {
  return {
    async stream(route, request, sink, deadline, open) {
      const answer = new AnswerReader(route, sink, deadline);
      const calls = new CallsReader(maxCallsOf(request));
      const postOf = async () => {
        const opened = await open?.();
        const body = chatBody(route, opened ? { ...request, turns: opened.turns } : request);
        return { ...openaiPost(route, 'chat/completions', body), onSent: opened?.onSent };
      };
      await streamAnswer(pool, await postOf(), answer, deadline, {
        onEvent: (data) => readOpenaiEvent(data, answer, { route, calls }),
        readRefusal: (refusal) => readOpenaiRefusal(refusal, route),
      });
      const made = calls.end();
      if (made) {
        answer.kept.add(made.json, true);
        for (const part of made.parts) answer.addPart(part);
        answer.flush();
      }
      return concludeAnswer(answer);
    },

    async countTokens(_route, { system, turns }) {
      const said = turns.map(({ parts }) => estimateTokens(parts.map(sayPart).join('')) + TOKENS_PER_TURN);
      return said.reduce((sum, tokens) => sum + tokens, estimateTokens(system ?? ''));
    },
  };
}
