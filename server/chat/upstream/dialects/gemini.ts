import { AnswerReader, maxCallsOf, readTokenCount } from '../transport/answer-reader.ts';
import type { Dialect } from '../transport/dialect.ts';
import type { HttpPool } from '../transport/http-pool.ts';
import { postJson } from '../transport/post-json.ts';
import { asObject } from '../transport/provider-refusal.ts';
import { concludeAnswer, streamAnswer } from '../transport/stream-answer.ts';
import type { GenerateRequest } from '../transport/upstream.ts';
import { UpstreamError } from '../transport/upstream-error.ts';
import { readGeminiEvent } from './gemini-events.ts';
import { readGeminiRefusal } from './gemini-refusal.ts';
import { geminiBody, geminiPost } from './gemini-request.ts';
import { SourcesReader } from './gemini-sources.ts';

const MAX_HOPS = 4;

/** Google's Gemini API in its own dialect (ai.google.dev/api/generate-content); `version` is `v1beta` or `v1`. */
export function createGeminiDialect(pool: HttpPool, version: string): Dialect {
  return {
    async stream(route, request, sink, deadline, open) {
      const sources = new SourcesReader();
      const { search, addresses } = request.tools ?? {};
      const answer = new AnswerReader(route, sink, deadline);
      answer.maxCalls = maxCallsOf(request);
      const postOf = async (extra: { continuationToken?: string | undefined }) => {
        const opened = await open?.();
        const body = geminiBody(route, opened ? { ...request, turns: opened.turns } : request, extra);
        return { ...geminiPost(route, version, 'streamGenerateContent', body), onSent: opened?.onSent };
      };
      let token: string | undefined;
      for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
        const post = await postOf({ continuationToken: token });
        let next: string | null = null;
        try {
          await streamAnswer(pool, post, answer, deadline, {
            onEvent(data) {
              const news = readGeminiEvent(data, answer);
              next = news.continuationToken ?? next;
              if (search || addresses) sources.addParts(news.parts ?? []);
              if (news.grounding) answer.searches = sources.read(news.grounding);
              if (news.addresses) sources.readAddresses(news.addresses);
              return false;
            },
            readRefusal: readGeminiRefusal,
            largestEvent: largestEventOf(request),
          });
        } catch (error) {
          // What was found for the text that stays; before there is any, another try finds its own.
          if (answer.started) addSources(answer, sources);
          throw error;
        }
        if (answer.finish?.kind !== 'continued' || next === null || hop === MAX_HOPS) break;
        token = next;
        answer.continue();
      }
      addSources(answer, sources);
      return concludeAnswer(answer);
    },

    async countTokens(route, request, deadline) {
      const body = `{"generateContentRequest":${geminiBody(route, request, { model: `models/${route.model}` })}}`;
      const post = geminiPost(route, version, 'countTokens', body);
      const counted = readTokenCount(
        asObject(await postJson(pool, post, deadline, readGeminiRefusal)).totalTokens,
      );
      if (counted === null) throw new UpstreamError('parse', 'the answer has no count of tokens');
      return counted;
    },
  };
}

/** A picture comes in one event, in Base64: 33 MB of it at most, and plots of code are small. */
function largestEventOf({ picture, tools }: GenerateRequest): number | undefined {
  if (picture) return 46_000_000;
  return tools?.code ? 8_000_000 : undefined;
}

/** Passes on the sources that are known so far. */
function addSources(answer: AnswerReader, sources: SourcesReader) {
  const found = sources.end();
  if (found) answer.addPart(found);
  answer.flush();
}
