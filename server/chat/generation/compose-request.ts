import type { AnswerPart } from '#contract/message/parts.ts';
import type { BaseDeps } from '#server/base-deps.ts';
import { contextTokensOf } from '#server/catalogue/context-rules.ts';
import { findModel } from '#server/catalogue/rules.ts';
import { type MessageInput, readParts } from '../tree/message-parts.ts';
import { type Exchange, selectPath } from '../tree/store.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { readKept } from '../upstream/transport/kept-parts.ts';
import { textTurn } from '../upstream/transport/turn-parts.ts';
import type { GenerateRequest, Turn, TurnPart } from '../upstream/transport/upstream.ts';
import { saysSomething } from './ending-rules.ts';
import type { Run } from './run.ts';

const MAX_DEPTH = 400;
/** The estimate counts no text lower than this many characters a token; it bounds what is read from the database. */
const CHARACTERS_PER_TOKEN = 7;
/** What a turn costs besides its text. */
const TURN_TOKENS = 4;
const COUNT_TIMEOUT_MS = 2_000;
/** Part of the counted budget that is not used, because parts of a text do not count exactly like the whole. */
const MARGIN = 0.03;

type RequestDeps = Pick<BaseDeps, 'config' | 'database' | 'upstream' | 'clock' | 'log'>;

export interface ComposedRequest {
  request: GenerateRequest;
  /** Whether older turns were left out. */
  isTrimmed: boolean;
}

/** What the model is asked: the answered exchanges above the message, as many of the newest as the model's budget takes, and the prompt. */
export async function composeRequest(deps: RequestDeps, run: Run): Promise<ComposedRequest> {
  if (run.request) return { request: run.request, isTrimmed: false };
  const { content, parentId, model, userId, input } = run.message;
  const prompt = textTurn('user', content);
  const shared = { ...searchOf(input), maxOutputTokens: deps.config.limits.outputTokens };
  if (parentId === null) return { request: { ...shared, turns: [prompt] }, isTrimmed: false };

  const budget = contextBudget(deps, model);
  const maxCharacters = budget * CHARACTERS_PER_TOKEN;
  const wanted = { userId, id: parentId, maxDepth: MAX_DEPTH, maxCharacters };
  const path = await selectPath(deps.database.sql, wanted);
  const isWhole = path.at(-1)?.parentId === null;
  const exchanges = path.filter((exchange) => exchange.answered && partsOf(exchange).some(saysSomething));
  const fitting = await countFitting(deps, run, exchanges, budget - tokensOf(content));
  const turns = exchanges.slice(0, fitting).reverse().flatMap(turnsOf);
  return {
    request: { ...shared, turns: [...turns, prompt] },
    isTrimmed: fitting < exchanges.length || !isWhole,
  };
}

/** Tokens of a request: what the model reads, less the room for its answer where both share one window. */
export function contextBudget(
  { config, clock }: Pick<RequestDeps, 'config' | 'clock'>,
  modelId: string,
): number {
  const model = findModel(modelId);
  const context = (model && contextTokensOf(model, config.upstream.routes, clock.now())) ?? 0;
  return context - Math.min(config.limits.outputTokens, Math.floor(context / 4));
}

/** How many of the newest exchanges fit. Where the estimate says that not all do, the provider is asked for its own count. */
async function countFitting(
  deps: RequestDeps,
  run: Run,
  exchanges: Exchange[],
  budget: number,
): Promise<number> {
  const sizes = exchanges.map(
    ({ content, response, kept }) => tokensOf(content) + tokensOf(response) + estimateTokens(kept ?? ''),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= budget) return exchanges.length;
  const ratio = await countedRatio(deps, run, exchanges, total);
  let left = (budget / ratio) * (1 - MARGIN);
  const first = sizes.findIndex((size) => {
    left -= size;
    return left < 0;
  });
  return first === -1 ? exchanges.length : first;
}

/** Tokens as the provider counts them for one of our estimate; 1 when it does not say in time. */
async function countedRatio(
  deps: RequestDeps,
  run: Run,
  exchanges: Exchange[],
  estimate: number,
): Promise<number> {
  const request = { system: null, turns: [...exchanges].reverse().flatMap(turnsOf) };
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(COUNT_TIMEOUT_MS)]);
  try {
    return (await deps.upstream.countTokens(run.message.model, request, signal)) / estimate || 1;
  } catch (error) {
    deps.log.debug({ err: error }, 'tokens could not be counted; the estimate is used');
    return 1;
  }
}

function tokensOf(text: string): number {
  return estimateTokens(text) + TURN_TOKENS;
}

function turnsOf(exchange: Exchange): Turn[] {
  const parts = partsOf(exchange);
  return [textTurn('user', exchange.content), { role: 'model', parts, kept: readKept(exchange.kept) }];
}

/** What a model is told of an answer. */
function partsOf({ output, response }: Exchange): ToldPart[] {
  const parts = readParts(output, response) ?? [{ kind: 'text', text: response }];
  return parts.filter(isForModels);
}

type ToldPart = Extract<AnswerPart, TurnPart>;

/** Not told: how it was thought of, nor where its readers may look. */
function isForModels(part: AnswerPart): part is ToldPart {
  return part.kind !== 'reasoning' && part.kind !== 'sources' && part.kind !== 'image';
}

const SEARCH_FIRST = 'Search the web before you answer.';

function searchOf(input: MessageInput | null): Pick<GenerateRequest, 'system' | 'tools'> {
  const { search = 'off' } = input?.options ?? {};
  if (search === 'off') return { system: null };
  return { system: search === 'always' ? SEARCH_FIRST : null, tools: { search: true } };
}
