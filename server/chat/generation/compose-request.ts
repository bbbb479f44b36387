import type { AnswerPart, InputPart } from '#contract/message/parts.ts';
import type { Effort } from '#contract/message/quotes.ts';
import type { BaseDeps } from '#server/base-deps.ts';
import { contextTokensOf, WEB_PAGE_TOKENS } from '#server/catalogue/context-rules.ts';
import { findModel } from '#server/catalogue/rules.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { openTurnFiles } from '../attachments/open-turn-files.ts';
import { type MessageInput, readParts } from '../message-store/message-parts.ts';
import { type Exchange, selectPath } from '../message-store/store.ts';
import { composeTools } from '../tools/compose-tools.ts';
import { readableKept, readKept } from '../upstream/transport/kept-parts.ts';
import { sayFile, sayPart } from '../upstream/transport/turn-parts.ts';
import type { FilePart, GenerateRequest, Turn, TurnPart } from '../upstream/transport/upstream.ts';
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

type RequestDeps = Pick<
  BaseDeps,
  'config' | 'database' | 'storages' | 'upstream' | 'clock' | 'log' | 'models'
>;

/** Files that are read in this turn and have no place in the request yet, by id. */
type Unplaced = Map<string, FilePart>;

export interface ComposedRequest {
  request: GenerateRequest;
  /** Whether older turns were left out. */
  isTrimmed: boolean;
}

/** What the model is asked: the answered exchanges above the message, as many of the newest as the model's budget takes, and the prompt. */
export async function composeRequest(deps: RequestDeps, run: Run): Promise<ComposedRequest> {
  const { content, parentId, model, userId, input } = run.message;
  const picture = findModel(model)?.pictures ? { picture: input?.options?.picture ?? {} } : {};
  if (run.request) return { request: { ...picture, ...run.request }, isTrimmed: false };
  const reads = input?.reads ?? [];
  const unplaced: Unplaced = await openTurnFiles(deps, userId, reads);
  const contextTokens = contextBudget(deps, model, input?.options?.effort);
  const composed = await composeTools(deps, run.message, contextTokens);
  const shared = { ...composed.shared, ...picture, maxOutputTokens: deps.config.limits.outputTokens };
  if (parentId === null) {
    return { request: { ...shared, turns: [promptOf(content, unplaced)] }, isTrimmed: false };
  }
  const budget = reads.reduce(
    (left, { tokens }) => left - tokens,
    contextTokens - composed.pages * WEB_PAGE_TOKENS,
  );
  const maxCharacters = Math.max(0, budget) * CHARACTERS_PER_TOKEN;
  const wanted = { userId, id: parentId, maxDepth: MAX_DEPTH, maxCharacters };
  const path = await selectPath(deps.database.sql, wanted);
  const isWhole = path.at(-1)?.parentId === null;
  const exchanges = path.filter((exchange) => exchange.answered && partsOf(exchange).some(saysSomething));
  const fitting = await countFitting(deps, run, exchanges, budget - tokensOf(content));
  const own = ownFiles(input);
  const earlier = new Map([...unplaced].filter(([id]) => !own.has(id)));
  const turns = exchanges
    .slice(0, fitting)
    .reverse()
    .flatMap((exchange) => turnsOf(exchange, earlier));
  for (const id of unplaced.keys()) if (!own.has(id) && !earlier.has(id)) unplaced.delete(id);
  return {
    request: { ...shared, turns: [...turns, promptOf(content, unplaced)] },
    isTrimmed: fitting < exchanges.length || !isWhole,
  };
}

/**
 * Tokens of a request: what the model reads, less the room for its answer where both share one window. At a higher effort
 * a model reads less, at the same price.
 */
export function contextBudget(
  { config, clock, models }: Pick<RequestDeps, 'config' | 'clock' | 'models'>,
  modelId: string,
  effort?: Effort,
): number {
  const model = models.find(modelId);
  const context = (model && contextTokensOf(model, config.upstream.chains, clock.now(), effort)) ?? 0;
  return context - Math.min(config.limits.outputTokens, Math.floor(context / 4));
}

/** How many of the newest exchanges fit. Where the estimate says that not all do, the provider is asked for its own count. */
async function countFitting(
  deps: RequestDeps,
  run: Run,
  exchanges: Exchange[],
  budget: number,
): Promise<number> {
  const sizes = exchanges.map((exchange) => tokensOf(exchange.content) + tokensOfAnswer(exchange));
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
  const turns = [...exchanges].reverse().flatMap((exchange) => turnsOf(exchange, new Map()));
  const request = { system: null, turns };
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(COUNT_TIMEOUT_MS)]);
  try {
    return (await deps.upstream.countTokens(run.message.model, request, signal)) / estimate || 1;
  } catch (error) {
    deps.log.debug({ err: error }, 'tokens could not be counted; the estimate is used');
    return 1;
  }
}

/** Tokens of an answer as it is given: its text and what was kept of it, or, where nothing was, all its parts in words. */
function tokensOfAnswer(exchange: Exchange): number {
  const { response, kept } = exchange;
  if (kept !== null) return tokensOf(response) + estimateTokens(readableKept(kept));
  return tokensOf(giveParts(exchange, new Map()).map(sayPart).join(''));
}

function tokensOf(text: string): number {
  return estimateTokens(text) + TURN_TOKENS;
}

/** The prompt after the files that stand in no turn before it: its own, and those of turns that are left out. */
function promptOf(content: string, files: Unplaced): Turn {
  return { role: 'user', parts: [...files.values(), { kind: 'text', text: content }] };
}

function ownFiles(input: MessageInput | null): Set<string> {
  return new Set(input?.parts?.flatMap((part) => (part.kind === 'text' ? [] : [part.fileId])));
}

/** A question and its answer. Its files are where they were, those that are not read any more by their names. */
function turnsOf(exchange: Exchange, unplaced: Unplaced): Turn[] {
  const { content, inputParts, kept } = exchange;
  const files = (inputParts ?? []).flatMap((part): TurnPart[] => {
    if (part.kind === 'text') return [];
    const file = unplaced.get(part.fileId);
    unplaced.delete(part.fileId);
    return [file ?? { kind: 'text', text: `${sayNamed(part)}\n` }];
  });
  return [
    { role: 'user', parts: [...files, { kind: 'text', text: content }] },
    { role: 'model', parts: giveParts(exchange, unplaced), kept: readKept(kept) },
  ];
}

/** What a model is given of an answer: a picture that is read in this turn as a file, any other as a word. */
function giveParts(exchange: Exchange, unplaced: Unplaced): TurnPart[] {
  return partsOf(exchange).map((part): TurnPart => {
    if (part.kind !== 'image') return part;
    const file = unplaced.get(part.fileId);
    unplaced.delete(part.fileId);
    return file
      ? { ...file, fileId: part.fileId }
      : { kind: 'text', text: `\n${sayFile('image/*', part.alt ?? null)}\n` };
  });
}

function sayNamed(part: Exclude<InputPart, { kind: 'text' }>): string {
  return part.kind === 'image' ? sayFile('image/*', null) : sayFile(part.type, part.name);
}

/** What a model is given of an answer. */
function partsOf({ output, response }: Exchange): ToldPart[] {
  const parts = readParts(output, response) ?? [{ kind: 'text', text: response }];
  return parts.map(sayStep).filter(isForModels);
}

/** What was done in a browser is given in words, without its pictures. */
function sayStep(part: AnswerPart): AnswerPart {
  if (part.kind !== 'step') return part;
  const { n, action, args, url, intent } = part;
  return { kind: 'text', text: `\n[step ${n}: ${action}(${args}) on ${url}${intent && ` — ${intent}`}]\n` };
}

type ToldPart = Extract<AnswerPart, TurnPart | { kind: 'image' }>;

/** Kinds of parts that are not sent to a model. */
const UNTOLD: ReadonlySet<AnswerPart['kind']> = new Set(['reasoning', 'sources', 'confirmation', 'table']);

function isForModels(part: AnswerPart): part is ToldPart {
  return !UNTOLD.has(part.kind);
}
