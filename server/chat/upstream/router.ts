import type { UpstreamRoute, UpstreamRoutes } from '#server/catalogue/model-routes.ts';
import type { Log } from '#server/platform/log.ts';
import type { UpstreamAlert } from './alert-operator.ts';
import { checkQuestion, checkTurns } from './check-turns.ts';
import { createGeminiWire } from './dialects/gemini.ts';
import { createOpenaiWire } from './dialects/openai-compatible.ts';
import { type Attempt, type ChainDeps, fallbackChain } from './fallback-chain.ts';
import { createRetiredModels } from './retired-models.ts';
import { watchVersion } from './watch-version.ts';
import { CallDeadline } from './wire/call-deadline.ts';
import { createHttpPool, type HttpPool } from './wire/http-pool.ts';
import type {
  GenerateRequest,
  GenerateResult,
  StreamHandlers,
  Upstream,
  UpstreamTimeouts,
} from './wire/upstream.ts';
import { UpstreamError } from './wire/upstream-error.ts';
import type { Wire } from './wire/wire.ts';

export interface UpstreamConfig {
  routes: UpstreamRoutes;
  /** `v1beta` unless the operator says otherwise. */
  geminiApiVersion: string;
  timeouts: UpstreamTimeouts;
}

export interface UpstreamHooks {
  onAlert?: (alert: UpstreamAlert) => void;
}

type Call<T> = (wire: Wire, route: UpstreamRoute, deadline: CallDeadline, attempt: Attempt) => Promise<T>;

/** Opens the model client over the configured chains. Connections are made when first used. */
export function createUpstream(config: UpstreamConfig, log: Log, hooks: UpstreamHooks = {}): Upstream {
  return new Router(config, log, hooks);
}

class Router implements Upstream {
  private readonly config: UpstreamConfig;
  private readonly pool: HttpPool = createHttpPool();
  private readonly wires: Record<UpstreamRoute['wire'], Wire>;
  private readonly deps: ChainDeps;
  private readonly checkVersion: ReturnType<typeof watchVersion>;

  constructor(config: UpstreamConfig, log: Log, hooks: UpstreamHooks) {
    this.config = config;
    this.wires = {
      gemini: createGeminiWire(this.pool, config.geminiApiVersion),
      'openai-compatible': createOpenaiWire(this.pool),
    };
    this.deps = { log, retired: createRetiredModels(), onAlert: hooks.onAlert };
    this.checkVersion = watchVersion(log, hooks.onAlert);
  }

  async stream(modelId: string, request: GenerateRequest, handlers: StreamHandlers, signal: AbortSignal) {
    const chain = this.chainOf(modelId);
    checkQuestion(request);
    const answer: Call<GenerateResult> = (wire, route, deadline, attempt) => {
      const onFirst = () => {
        attempt.started = true;
        if (route !== chain[0]) handlers.onNotice('upstream_switched');
      };
      const sink = {
        onFirst,
        onText: (text: string) => handlers.onText(text),
        onReasoning: (text: string) => handlers.onReasoning(text),
      };
      return wire.stream(route, request, sink, deadline);
    };
    const result = await this.call(chain, signal, answer);
    this.checkVersion(result);
    return result;
  }

  async countTokens(modelId: string, request: GenerateRequest, signal: AbortSignal) {
    checkTurns(request);
    const count: Call<number> = (wire, route, deadline) => wire.countTokens(route, request, deadline);
    return this.call(this.chainOf(modelId), signal, count);
  }

  async embed(modelId: string, texts: string[], signal: AbortSignal) {
    const chain = this.chainOf(modelId);
    if (texts.some((text) => text.trim() === ''))
      throw new UpstreamError('invalid_content', 'a text is empty');
    if (texts.length === 0) return [];
    return this.call(chain, signal, (wire, route, deadline) => wire.embed(route, texts, deadline));
  }

  close() {
    this.pool.close();
  }

  private chainOf(modelId: string): readonly UpstreamRoute[] {
    const { routes } = this.config;
    const chain = Object.hasOwn(routes, modelId) ? routes[modelId] : undefined;
    if (chain && chain.length > 0) return chain;
    throw new UpstreamError(
      'missing_model',
      modelId === '' ? 'no model is named' : 'no upstream serves this model',
    );
  }

  private async call<T>(chain: readonly UpstreamRoute[], signal: AbortSignal, call: Call<T>): Promise<T> {
    const deadline = new CallDeadline(this.config.timeouts, signal);
    try {
      return await fallbackChain(chain, deadline, this.deps, (route, attempt) =>
        call(this.wires[route.wire], route, deadline, attempt),
      );
    } finally {
      deadline.release();
    }
  }
}
