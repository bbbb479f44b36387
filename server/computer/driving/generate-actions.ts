import { BROWSER_CHAIN } from '#server/catalogue/upstream-chains.ts';
import type {
  AnswerMetadata,
  GenerateRequest,
  SignedCall,
  Turn,
} from '#server/chat/upstream/transport/upstream.ts';
import { UpstreamError } from '#server/chat/upstream/transport/upstream-error.ts';
import type { LiveRun } from '../runs/live-run.ts';
import type { RunDeps } from '../runs/run-deps.ts';

/** One answer of the model. */
export interface Hop {
  /** The parts that the model wrote, which are sent back to it unchanged; null where it wrote nothing. */
  turn: Turn | null;
  calls: SignedCall[];
  metadata: AnswerMetadata;
}

/** How often a model that could not write its call is asked again. */
const MAX_RETRIES = 2;

/** Asks the model for its next actions. Its text goes into the answer. Rejects with `UpstreamError`. */
export async function generateActions(
  deps: RunDeps,
  live: LiveRun,
  request: GenerateRequest,
  hasStepped: boolean,
): Promise<Hop> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await askOnce(deps, live, request);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (error.kind === 'empty' && hasStepped && error.metadata) {
        return { turn: null, calls: [], metadata: error.metadata };
      }
      if (error.vendorCode !== 'MALFORMED_FUNCTION_CALL' || retry === MAX_RETRIES) throw error;
    }
  }
}

async function askOnce({ upstream }: RunDeps, { run }: LiveRun, request: GenerateRequest): Promise<Hop> {
  const calls: SignedCall[] = [];
  let text = '';
  const metadata = await upstream.stream(
    BROWSER_CHAIN,
    request,
    {
      onText(piece) {
        if (text === '' && run.text !== '') run.add('text', '\n\n');
        text += piece;
        run.add('text', piece);
      },
      onReasoning: (piece) => run.add('reasoning', piece),
      onPart(part) {
        if (part.kind === 'call') calls.push(part);
      },
      onNotice(code) {
        if (!run.upstreamSwitched) run.notice(code);
      },
      onUse: (use) => run.uses.push(use),
    },
    run.signal,
  );
  const said = text === '' ? [] : [{ kind: 'text' as const, text }];
  return { turn: { role: 'model', parts: [...said, ...calls], kept: metadata.kept }, calls, metadata };
}

/** Adds up the metadata of several answers. */
export function addMetadata(before: AnswerMetadata | null, now: AnswerMetadata): AnswerMetadata {
  if (!before) return { ...now, kept: null };
  const usage =
    before.usage && now.usage
      ? {
          inputTokens: before.usage.inputTokens + now.usage.inputTokens,
          outputTokens: before.usage.outputTokens + now.usage.outputTokens,
          reasoningTokens: before.usage.reasoningTokens + now.usage.reasoningTokens,
          cachedInputTokens: before.usage.cachedInputTokens + now.usage.cachedInputTokens,
        }
      : (now.usage ?? before.usage);
  return { ...now, usage, kept: null };
}
