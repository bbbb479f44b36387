import type { UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import type { AnswerSink } from './answer-reader.ts';
import type { CallDeadline } from './call-deadline.ts';
import type { GenerateRequest, GenerateResult, Turn } from './upstream.ts';

/** Turns in which every file is opened, and the function that frees their memory when they are sent. */
export interface OpenedTurns {
  turns: Turn[];
  onSent?: () => void;
}

/** How one kind of provider is spoken to. Each call is one attempt at one route; it rejects with `UpstreamError`. */
export interface Dialect {
  stream(
    route: UpstreamRoute,
    request: GenerateRequest,
    sink: AnswerSink,
    deadline: CallDeadline,
    /** Opens the files of the request, for each time that it is written; absent where it has none. */
    open?: (() => Promise<OpenedTurns>) | undefined,
  ): Promise<GenerateResult>;
  countTokens(route: UpstreamRoute, request: GenerateRequest, deadline: CallDeadline): Promise<number>;
}
