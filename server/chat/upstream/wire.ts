import type { UpstreamRoute } from '#server/catalogue/model-routes.ts';
import type { AnswerSink } from './answer-reader.ts';
import type { Guard } from './guard.ts';
import type { GenerateRequest, GenerateResult } from './upstream.ts';

/** How one kind of provider is spoken to. Each call is one attempt at one route; it rejects with `UpstreamError`. */
export interface Wire {
  stream(
    route: UpstreamRoute,
    request: GenerateRequest,
    sink: AnswerSink,
    guard: Guard,
  ): Promise<GenerateResult>;
  countTokens(route: UpstreamRoute, request: GenerateRequest, guard: Guard): Promise<number>;
  embed(route: UpstreamRoute, texts: string[], guard: Guard): Promise<number[][]>;
}
