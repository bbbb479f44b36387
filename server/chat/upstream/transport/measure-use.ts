import { PICTURE_TOKENS } from '#server/catalogue/file-rules.ts';
import type { Consumption, ProviderUse } from '#server/catalogue/provider-cost-rules.ts';
import type { UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import type { AnswerSink } from './answer-reader.ts';
import type { CallDeadline } from './call-deadline.ts';
import type { Dialect } from './dialect.ts';
import { sayPart } from './turn-parts.ts';
import type { AnswerMetadata, GenerateRequest, GenerateResult, TurnPart } from './upstream.ts';
import { UpstreamError, type UpstreamErrorKind } from './upstream-error.ts';

/** A request that a provider refused before it answered costs nothing (Google: “you will not be charged” for a 400 or 500). */
const REFUSED: ReadonlySet<UpstreamErrorKind> = new Set<UpstreamErrorKind>([
  'auth',
  'balance',
  'not_configured',
  'rate',
  'overloaded',
  'connect',
  'not_found',
  'fetch',
  'missing_model',
  'invalid_history',
  'invalid_content',
]);

type KnownMetadata = Pick<AnswerMetadata, 'usage' | 'searches' | 'pictureTokens'>;
const NO_METADATA: KnownMetadata = { usage: null, searches: 0, pictureTokens: null };

/** The measured content of an answer, besides the provider's report. */
interface Heard {
  text: string;
  pictures: number;
}

export interface MeasuredSink extends AnswerSink {
  onUse(use: ProviderUse): void;
}

/** A dialect that reports the consumption of each of its requests, however it ends; none where the provider refused. */
export interface MeasuredDialect extends Omit<Dialect, 'stream'> {
  stream(
    route: UpstreamRoute,
    request: GenerateRequest,
    sink: MeasuredSink,
    deadline: CallDeadline,
    open?: Parameters<Dialect['stream']>[4],
  ): Promise<GenerateResult>;
}

/** Wraps a dialect so that it reports its consumption. */
export function measureUse(dialect: Dialect): MeasuredDialect {
  return {
    ...dialect,
    stream: (route, request, sink, deadline, open) =>
      measure({ route, request, sink }, (listening) =>
        dialect.stream(route, request, listening, deadline, open),
      ),
  };
}

async function measure(
  { route, request, sink }: { route: UpstreamRoute; request: GenerateRequest; sink: MeasuredSink },
  call: (sink: AnswerSink) => Promise<GenerateResult>,
): Promise<GenerateResult> {
  const heard: Heard = { text: '', pictures: 0 };
  const listening: AnswerSink = {
    onFirst: () => sink.onFirst(),
    onText(text) {
      heard.text += text;
      sink.onText(text);
    },
    onReasoning(text) {
      heard.text += text;
      sink.onReasoning(text);
    },
    onPart(part) {
      if (part.kind === 'picture') heard.pictures += 1;
      else if (part.kind !== 'sources') heard.text += sayPart(part);
      sink.onPart(part);
    },
  };
  const report = (metadata: KnownMetadata) =>
    sink.onUse({
      provider: new URL(route.baseUrl).host,
      model: route.model,
      prices: route.prices,
      consumed: consumptionOf(metadata, request, heard),
    });
  try {
    const result = await call(listening);
    report(result);
    return result;
  } catch (error) {
    const metadata = (error instanceof UpstreamError && error.metadata) || NO_METADATA;
    const hasBegun =
      metadata.usage !== null || metadata.searches > 0 || heard.pictures > 0 || heard.text !== '';
    if (hasBegun || mayHaveBegun(error)) report(metadata);
    throw error;
  }
}

/** Whether a provider may have worked without an answer: it was silent too long, or was stopped before its first piece. */
function mayHaveBegun(error: unknown): boolean {
  const isSent = error instanceof UpstreamError && error.metadata !== null;
  return isSent && !REFUSED.has(error.kind) && error.phase !== 'connect';
}

function consumptionOf(metadata: KnownMetadata, request: GenerateRequest, heard: Heard): Consumption {
  const { searches } = metadata;
  const usage = metadata.usage ?? estimateUsage(request, heard.text);
  const written = usage.outputTokens - usage.reasoningTokens;
  // No text takes no tokens: a count of nothing is one that is missing.
  const isUncounted = usage.outputTokens === 0 && heard.text !== '';
  return {
    inputTokens: usage.inputTokens,
    cachedInputTokens: usage.cachedInputTokens,
    outputTokens: isUncounted ? estimateTokens(heard.text) : usage.outputTokens,
    thinkingTokens: usage.reasoningTokens,
    pictureTokens: heard.pictures > 0 ? Math.min(metadata.pictureTokens ?? written, written) : 0,
    searches,
    searchedRequests: searches > 0 ? 1 : 0,
    pictures: heard.pictures,
    pictureSize: request.picture?.size ?? '1K',
    isEstimate: metadata.usage === null || isUncounted,
  };
}

function estimateUsage({ system, turns, tools }: GenerateRequest, text: string) {
  const read = turns.flatMap(({ parts }) => parts).reduce((sum, part) => sum + estimatePart(part), 0);
  const instructions = estimateTokens(
    (system ?? '') + (tools?.functions ? JSON.stringify(tools.functions) : ''),
  );
  return {
    inputTokens: read + instructions,
    outputTokens: estimateTokens(text),
    reasoningTokens: 0,
    cachedInputTokens: 0,
  };
}

function estimatePart(part: TurnPart): number {
  if (part.kind === 'file') return part.tokens ?? PICTURE_TOKENS;
  const seen = part.kind === 'media' || (part.kind === 'seen' && part.jpeg !== null) ? PICTURE_TOKENS : 0;
  return seen + estimateTokens(sayPart(part));
}
