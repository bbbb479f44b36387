import type { UpstreamRoute } from '#server/catalogue/model-routes.ts';
import type { AnswerSink } from './answer-reader.ts';
import type { CallDeadline } from './call-deadline.ts';
import type { GenerateRequest, GenerateResult } from './upstream.ts';

/** How one kind of provider is spoken to. Each call is one attempt at one route; it rejects with `UpstreamError`. */
export interface Dialect {
  stream(
    route: UpstreamRoute,
    request: GenerateRequest,
    sink: AnswerSink,
    deadline: CallDeadline,
  ): Promise<GenerateResult>;
  countTokens(route: UpstreamRoute, request: GenerateRequest, deadline: CallDeadline): Promise<number>;
  embed(route: UpstreamRoute, texts: string[], deadline: CallDeadline): Promise<number[][]>;
}
