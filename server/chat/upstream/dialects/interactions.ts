import type { Log } from '#server/platform/log.ts';
import { AnswerReader } from '../transport/answer-reader.ts';
import type { Dialect } from '../transport/dialect.ts';
import type { HttpPool } from '../transport/http-pool.ts';
import { concludeAnswer, streamAnswer } from '../transport/stream-answer.ts';
import { UpstreamError, type UpstreamErrorKind } from '../transport/upstream-error.ts';
import { isNotServed, readGeminiRefusal } from './gemini-refusal.ts';
import { InteractionReader } from './interactions-events.ts';
import { interactionsBody, interactionsPost, writerOf } from './interactions-request.ts';

type Stream = Dialect['stream'];

/** How the endpoint that is asked second says no; anything else comes of a model that it serves. */
const REFUSALS: ReadonlySet<UpstreamErrorKind> = new Set<UpstreamErrorKind>(['fetch', 'not_found', 'auth']);

/**
 * The Gemini dialect with a second endpoint for requests with a browser. Google serves some models at `generateContent`, some at the
 * Interactions API: an endpoint that refuses a request as not served is replaced by the other one. What served a model last is
 * asked first, as long as the process lives. Where neither serves it the first error is thrown.
 */
export function withInteractions(gemini: Dialect, pool: HttpPool, version: string, log: Log): Dialect {
  const interact = createInteractions(pool, version);
  const interacting = new Set<string>();
  return {
    ...gemini,
    async stream(route, request, sink, deadline, open) {
      if (!request.tools?.browser) return gemini.stream(route, request, sink, deadline, open);
      const key = `${route.baseUrl} ${route.model}`;
      const isThere = interacting.has(key);
      const [usual, other] = isThere ? [interact, gemini.stream] : [gemini.stream, interact];
      let isStarted = false;
      const watched = {
        ...sink,
        onFirst() {
          isStarted = true;
          sink.onFirst();
        },
      };
      try {
        return await usual(route, request, watched, deadline, open);
      } catch (first) {
        if (isStarted || !isNotServed(first)) throw first;
        const result = await other(route, request, watched, deadline, open).catch((second) => {
          const isRefused = second instanceof UpstreamError && REFUSALS.has(second.kind) && !isStarted;
          throw isRefused ? first : second;
        });
        if (isThere) interacting.delete(key);
        else interacting.add(key);
        const endpoint = isThere ? 'generateContent' : 'interactions';
        log.info({ upstreamModel: route.model, endpoint }, 'this endpoint drives browsers from now on');
        return result;
      }
    },
  };
}

/** Streams an answer by the Interactions API. */
function createInteractions(pool: HttpPool, version: string): Stream {
  return async (route, request, sink, deadline, open) => {
    const answer = new AnswerReader(writerOf(route), sink, deadline);
    const reader = new InteractionReader(answer);
    const opened = await open?.();
    const body = interactionsBody(route, opened ? { ...request, turns: opened.turns } : request);
    const post = { ...interactionsPost(route, version, body), onSent: opened?.onSent };
    await streamAnswer(pool, post, answer, deadline, {
      onEvent: (data) => reader.read(data),
      readRefusal: readGeminiRefusal,
    });
    return concludeAnswer(answer);
  };
}
