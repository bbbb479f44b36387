import type { UpstreamRoute } from '#server/catalogue/model-routes.ts';
import { AnswerReader } from '../transport/answer-reader.ts';
import type { Dialect } from '../transport/dialect.ts';
import { estimateTokens } from '../transport/estimate-tokens.ts';
import type { HttpPool, HttpPost, Refusal } from '../transport/http-pool.ts';
import { postJson } from '../transport/post-json.ts';
import { asObject } from '../transport/provider-refusal.ts';
import { readVector } from '../transport/read-vector.ts';
import { concludeAnswer, streamAnswer } from '../transport/stream-answer.ts';
import type { GenerateRequest } from '../transport/upstream.ts';
import { UpstreamError } from '../transport/upstream-error.ts';
import { readOpenaiEvent } from './openai-events.ts';
import { readOpenaiRefusal } from './openai-refusal.ts';

/** Tokens that a chat template adds to each turn. */
const TOKENS_PER_TURN = 4;

function openaiPost(route: UpstreamRoute, path: string, body: unknown): HttpPost {
  const authorization = route.apiKey === null ? {} : { authorization: `Bearer ${route.apiKey}` };
  return {
    url: new URL(`${route.baseUrl}/${path}`),
    headers: { ...authorization, ...route.headers },
    body: JSON.stringify(body),
  };
}

function chatBody(route: UpstreamRoute, request: GenerateRequest) {
  const limits = [request.maxOutputTokens, route.maxOutputTokens].filter((limit) => limit !== undefined);
  const turns = request.turns.map(({ role, text }) => ({
    role: role === 'user' ? 'user' : 'assistant',
    content: text,
  }));
  const system = request.system === null ? [] : [{ role: 'system', content: request.system }];
  return {
    model: route.model,
    messages: [...system, ...turns],
    stream: true,
    stream_options: route.streamUsage ? { include_usage: true } : undefined,
    [route.maxTokensField]: limits.length > 0 ? Math.min(...limits) : undefined,
    temperature: route.sampling ? request.temperature : undefined,
    top_p: route.sampling ? request.topP : undefined,
    stop: request.stop,
    seed: request.seed,
    ...route.extraBody,
  };
}

/** Any endpoint that speaks OpenAI's chat completions, with the differences that its route names. */
export function createOpenaiDialect(pool: HttpPool): Dialect {
  return {
    async stream(route, request, sink, deadline) {
      if (request.cachedContent) {
        throw new UpstreamError('cached_content_conflict', 'cached content is known to the Gemini API only');
      }
      const answer = new AnswerReader(route.model, sink, deadline);
      await streamAnswer(
        pool,
        openaiPost(route, 'chat/completions', chatBody(route, request)),
        answer,
        deadline,
        {
          onEvent: (data) => readOpenaiEvent(data, answer, route),
          readRefusal: (refusal) => readOpenaiRefusal(refusal, route),
        },
      );
      return concludeAnswer(answer);
    },

    async countTokens(_route, { system, turns }) {
      const said = turns.map((turn) => estimateTokens(turn.text) + TOKENS_PER_TURN);
      return said.reduce((sum, tokens) => sum + tokens, estimateTokens(system ?? ''));
    },

    async embed(route, texts, deadline) {
      const post = openaiPost(route, 'embeddings', { model: route.model, input: texts });
      const readRefusal = (refusal: Refusal) => readOpenaiRefusal(refusal, route);
      const { data } = asObject(await postJson(pool, post, deadline, readRefusal));
      const list = (Array.isArray(data) ? data : []).map(asObject);
      if (list.length !== texts.length) throw new UpstreamError('parse', 'not one embedding for each text');
      const ordered = list.toSorted((left, right) => Number(left.index) - Number(right.index));
      return ordered.map((each) => readVector(each.embedding));
    },
  };
}
