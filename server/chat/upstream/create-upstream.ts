import type { UpstreamChains, UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import type { Log } from '#server/platform/log.ts';
import { NO_TRACING, type Tracing } from '#server/platform/telemetry/tracing.ts';
import type { UpstreamAlert } from './alert-operator.ts';
import { checkQuestion, checkTurns } from './check-turns.ts';
import { createDialects, type Dialects } from './dialects/dialects.ts';
import { type Attempt, type ChainDeps, fallbackChain, type UpstreamCall } from './fallback-chain.ts';
import { FileGiver, type OnConversion } from './media/give-files.ts';
import { createRetiredModels } from './retired-models.ts';
import { CallDeadline } from './transport/call-deadline.ts';
import { createHttpPool, type HttpPool } from './transport/http-pool.ts';
import { isFile, withoutKept } from './transport/turn-parts.ts';
import type {
  GenerateRequest,
  GenerateResult,
  StreamHandlers,
  Turn,
  Upstream,
  UpstreamPart,
  UpstreamTimeouts,
} from './transport/upstream.ts';
import { UpstreamError } from './transport/upstream-error.ts';
import { watchVersion } from './watch-version.ts';

export interface UpstreamConfig {
  chains: UpstreamChains;
  /** `v1beta` unless the operator says otherwise. */
  geminiApiVersion: string;
  timeouts: UpstreamTimeouts;
}

export interface UpstreamHooks {
  onAlert?: (alert: UpstreamAlert) => void;
  /** Called after each try of a call; `outcome` is `ok`, or what went wrong. */
  onCall?: (call: UpstreamCall) => void;
  onConversion?: OnConversion;
  /** Each try of a call is a span. */
  tracing?: Tracing;
}

type Call<T> = (
  dialect: Dialects[UpstreamRoute['dialect']],
  route: UpstreamRoute,
  deadline: CallDeadline,
  attempt: Attempt,
) => Promise<T>;

/** Opens the model client over the configured chains. Connections are made when first used. */
export function createUpstream(config: UpstreamConfig, log: Log, hooks: UpstreamHooks = {}): Upstream {
  return new ChainedUpstream(config, log, hooks);
}

/** A provider may refuse its own signatures: of a key that was replaced, of a model that another one stands in for. */
function isHistoryRefused(error: unknown, { turns }: GenerateRequest, { started }: Attempt): boolean {
  const isRefused = error instanceof UpstreamError && error.kind === 'fetch' && error.status === 400;
  return isRefused && !started && turns.some(({ kept }) => kept);
}

/**
 * Opening the addresses of a question is our own wish: a provider refuses more of them than it opens, and may refuse the tool
 * beside others.
 */
function areAddressesRefused(error: unknown, { tools }: GenerateRequest, { started }: Attempt): boolean {
  const isRefused = error instanceof UpstreamError && error.kind === 'fetch' && error.status === 400;
  return isRefused && !started && tools?.addresses === true;
}

/** Time to upload files and have them looked through, in milliseconds; the wait for the first token is so much longer. */
const FILES_MS = 60_000;
/** Longest silence of an answer with pictures: nothing comes while a large one is made, between words as well. */
const PICTURE_MS = 150_000;
/** Longer silence of an answer that may run code: Google lets it run for 30 s, and says nothing meanwhile. */
const CODE_MS = 45_000;
/** Google's refusal of a request that names a file which is gone, or belongs to another project. */
const COPY_REFUSALS: ReadonlySet<number> = new Set([400, 403, 404]);

/** An error of the upload of files. That a provider has no place for them does not say that its model is gone. */
function ofFiles(cause: unknown): unknown {
  if (!(cause instanceof UpstreamError)) return cause;
  const { message, status, retryAfterMs, vendorCode } = cause;
  const kind = cause.kind === 'not_found' ? 'fetch' : cause.kind;
  return new UpstreamError(kind, message, { status, retryAfterMs, vendorCode, phase: 'files', cause });
}

function hasFiles(turns: readonly Turn[]): boolean {
  return turns.some(({ parts }) => parts.some(isFile));
}

class ChainedUpstream implements Upstream {
  private readonly config: UpstreamConfig;
  private readonly pool: HttpPool = createHttpPool();
  private readonly dialects: Dialects;
  private readonly deps: Omit<ChainDeps, 'operation'>;
  private readonly giver: FileGiver;
  private readonly checkVersion: ReturnType<typeof watchVersion>;

  constructor(config: UpstreamConfig, log: Log, hooks: UpstreamHooks) {
    this.config = config;
    this.dialects = createDialects(this.pool, config.geminiApiVersion, log);
    this.giver = new FileGiver(config.geminiApiVersion, hooks.onConversion);
    this.deps = { log, retired: createRetiredModels(), tracing: NO_TRACING, ...hooks };
    this.checkVersion = watchVersion(log, hooks.onAlert);
  }

  async stream(modelId: string, request: GenerateRequest, handlers: StreamHandlers, signal: AbortSignal) {
    const chain = this.chainOf(modelId);
    checkQuestion(request);
    const answer: Call<GenerateResult> = (dialect, route, deadline, attempt) => {
      const onFirst = () => {
        attempt.started = true;
        attempt.span?.event('first_token');
        if (route !== chain[0]) handlers.onNotice('upstream_switched');
      };
      const sink = {
        onFirst,
        onText: (text: string) => handlers.onText(text),
        onReasoning: (text: string) => handlers.onReasoning(text),
        onPart: (part: UpstreamPart) => handlers.onPart(part),
        onUse: handlers.onUse,
      };
      const ask = (asked: GenerateRequest) =>
        dialect.stream(route, asked, sink, deadline, this.openerOf(route, asked.turns, signal));
      const askAgain = async (error: unknown, asked: GenerateRequest): Promise<GenerateResult> => {
        if (await this.areCopiesGone(error, route, asked, attempt)) return ask(asked);
        if (!isHistoryRefused(error, asked, attempt)) throw error;
        const { model } = route;
        this.deps.log.warn({ upstreamModel: model }, 'a model refused what it wrote itself; asking in words');
        return ask({ ...asked, turns: withoutKept(asked.turns) });
      };
      return ask(request).catch((error) => {
        if (!areAddressesRefused(error, request, attempt)) return askAgain(error, request);
        const { model } = route;
        this.deps.log.warn({ upstreamModel: model }, 'a model refused to open addresses; asking without');
        const without = { ...request, tools: { ...request.tools, addresses: false } };
        return ask(without).catch((again) => askAgain(again, without));
      });
    };
    const filesMs = hasFiles(request.turns) ? FILES_MS : 0;
    const pictureMs = request.picture ? PICTURE_MS : 0;
    const codeMs = request.tools?.code ? CODE_MS : 0;
    const hasFunctions = (request.tools?.functions?.length ?? 0) > 0;
    const more = { firstTokenMs: filesMs + pictureMs, idleMs: pictureMs + codeMs, hasFunctions };
    const result = await this.call('chat', chain, signal, answer, more);
    this.checkVersion(result);
    return result;
  }

  async countTokens(modelId: string, request: GenerateRequest, signal: AbortSignal) {
    checkTurns(request);
    const count: Call<number> = (dialect, route, deadline) => dialect.countTokens(route, request, deadline);
    return this.call('count_tokens', this.chainOf(modelId), signal, count);
  }

  deleteCopy(copy: { project: string; name: string }, signal: AbortSignal) {
    const routes = Object.values(this.config.chains).flat();
    return this.giver.deleteCopy(routes, copy, signal);
  }

  close() {
    this.pool.close();
  }

  private openerOf(route: UpstreamRoute, turns: Turn[], signal: AbortSignal) {
    if (!hasFiles(turns)) return undefined;
    return async () => {
      const tooLate = AbortSignal.timeout(FILES_MS);
      const limit = AbortSignal.any([signal, tooLate]);
      const { turns: given, release } = await this.giver.give(route, turns, limit).catch((cause) => {
        if (signal.aborted) throw new UpstreamError('aborted', 'stopped by the caller', { cause });
        if (!tooLate.aborted) throw ofFiles(cause);
        throw new UpstreamError('timeout', 'the files were not given in time', { phase: 'files', cause });
      });
      return { turns: given, onSent: release };
    };
  }

  /** A provider may have deleted its copy of a file before its time: another is made then, once. */
  private async areCopiesGone(
    error: unknown,
    route: UpstreamRoute,
    { turns }: GenerateRequest,
    { started }: Attempt,
  ) {
    const isRefused = error instanceof UpstreamError && !started && COPY_REFUSALS.has(error.status ?? 0);
    return isRefused && route.dialect === 'gemini' && (await this.giver.forgetCopies(route, turns));
  }

  private chainOf(modelId: string): readonly UpstreamRoute[] {
    const { chains } = this.config;
    const chain = Object.hasOwn(chains, modelId) ? chains[modelId] : undefined;
    if (chain && chain.length > 0) return chain;
    throw new UpstreamError(
      'missing_model',
      modelId === '' ? 'no model is named' : 'no upstream serves this model',
    );
  }

  private async call<T>(
    operation: ChainDeps['operation'],
    chain: readonly UpstreamRoute[],
    signal: AbortSignal,
    call: Call<T>,
    more = { firstTokenMs: 0, idleMs: 0, hasFunctions: false },
  ): Promise<T> {
    const { timeouts } = this.config;
    const firstTokenMs = timeouts.firstTokenMs + more.firstTokenMs;
    const idleMs = timeouts.idleMs + more.idleMs;
    const deadline = new CallDeadline({ ...timeouts, firstTokenMs, idleMs }, signal);
    const deps = { ...this.deps, operation, hasFunctions: more.hasFunctions };
    try {
      return await fallbackChain(chain, deadline, deps, (route, attempt) =>
        call(this.dialects[route.dialect], route, deadline, attempt),
      );
    } finally {
      deadline.release();
    }
  }
}
