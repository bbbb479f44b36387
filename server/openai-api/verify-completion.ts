import { createHash } from 'node:crypto';
import type { Quote } from '#contract/message/quotes.ts';
import type { CompletionQuote } from '#contract/openai.ts';
import { costOf } from '#server/catalogue/rules.ts';
import { contextBudget } from '#server/chat/generation/compose-request.ts';
import { quoteModel } from '#server/chat/messages/quote-message.ts';
import type { Turn } from '#server/chat/upstream/transport/upstream.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { newId } from '#server/platform/ids.ts';
import { openFiles } from './question/open-files.ts';
import { hasGiven, identifyPart, joinTexts } from './question/parse-content.ts';
import type { Completion } from './question/receive-completion.ts';
import { isAnswered, type NewRequest } from './store.ts';

/** What a turn costs besides its text. */
const TURN_TOKENS = 4;
/** Of a request without its files, in UTF-16 code units. */
const MAX_TEXT = 1_048_576;

/** Who asks, and what the key allows beyond the plan. */
export interface Caller {
  userId: string;
  /** Null: the user on the API page. */
  keyId: string | null;
  /** Null: every model of the plan. */
  models: string[] | null;
}

/** What is to be stored of a completion, and what its model is asked. */
export interface VerifiedCompletion {
  request: NewRequest;
  turns: Turn[];
}

type VerifyDeps = Pick<Deps, 'config' | 'database' | 'clock'>;

/**
 * What is to be stored of a completion that the caller's key and plan allow, with its files read. Throws `unknown_model`,
 * `model_not_in_key`, `model_not_allowed`, `not_configured`, `context_too_long`, and as `openFiles`.
 */
export async function verifyCompletion(
  deps: VerifyDeps & Pick<Deps, 'instanceId'>,
  caller: Caller,
  { model, question }: Completion,
  idempotencyKey: string | null,
): Promise<VerifiedCompletion> {
  const { userId, keyId } = caller;
  const hasAddress = question.turns.some(({ parts }) =>
    parts.some((part) => part.kind === 'given' && 'url' in part.source),
  );
  // Whoever asks for an answer again gets it also where its pictures are not there any more.
  const isRepeat =
    hasAddress && idempotencyKey !== null && (await isAnswered(deps.database.sql, userId, idempotencyKey));
  const { quote, promptTokens, turns } = await verify(deps, caller, { model, question }, !isRepeat);
  const request = {
    id: newId(),
    userId,
    keyId,
    idempotencyKey,
    bodyHash: hashQuestion(model, question),
    model,
    cost: quote.max,
    promptTokens,
    owner: deps.instanceId,
    maxRunning: deps.config.limits.runningPerUser,
    maxEndedByUser: deps.config.limits.endedByUserPerDay,
    maxUncharged: deps.config.limits.unchargedPerDay,
    at: deps.clock.databaseTime(),
  };
  return { request, turns };
}

/** The most that a completion would cost; pictures at an address are not fetched for it. Throws as `verifyCompletion`. */
export async function quoteCompletion(
  deps: VerifyDeps,
  caller: Pick<Caller, 'userId' | 'models'>,
  { model, question }: Completion,
): Promise<CompletionQuote> {
  const { quote } = await verify(deps, caller, { model, question }, false);
  return { object: 'quote', model, ...quote };
}

async function verify(
  deps: VerifyDeps,
  { userId, models }: Pick<Caller, 'userId' | 'models'>,
  { model, question }: Pick<Completion, 'model' | 'question'>,
  isFetched: boolean,
): Promise<{ quote: Quote; promptTokens: number; turns: Turn[] }> {
  if (costOf(model) === null) throw new AppError('unknown_model', { model });
  if (models && !models.includes(model)) throw new AppError('model_not_in_key', { model });
  const plain = await quoteModel(deps, userId, { model });
  const limit = contextBudget(deps, model);
  checkLength(question, limit);
  const textTokens = countTokens(question);
  checkContext(textTokens, limit);
  const { turns, fileTokens } = await openFiles(deps, { userId, model, turns: question.turns, isFetched });
  const promptTokens = fileTokens.reduce((sum, each) => sum + each, textTokens);
  checkContext(promptTokens, limit);
  const quote = fileTokens.length > 0 ? await quoteModel(deps, userId, { model, fileTokens }) : plain;
  return { quote, promptTokens, turns };
}

/** Far more than any model reads is refused before it is counted. */
function checkLength({ turns }: Completion['question'], limit: number) {
  const length = turns.reduce((sum, { parts }) => sum + joinTexts(parts).length, 0);
  if (length > MAX_TEXT) throw new AppError('context_too_long', { tokens: length, limit });
}

function checkContext(tokens: number, limit: number) {
  if (tokens > limit) throw new AppError('context_too_long', { tokens, limit });
}

/** What an idempotency key stands for, for good: names and order stay, and a new field is left out where it is not used. */
function hashQuestion(model: string, question: Completion['question']): Buffer {
  const { system, temperature, topP, stop, seed, maxOutputTokens } = question;
  const turns = question.turns.map(({ role, parts }) => ({
    role,
    text: joinTexts(parts),
    parts: hasGiven(parts) ? parts.map(identifyPart) : undefined,
  }));
  const asked = { model, system, turns, temperature, topP, stop, seed, maxOutputTokens };
  return createHash('sha256').update(JSON.stringify(asked)).digest();
}

function countTokens({ system, turns }: Completion['question']): number {
  const said = turns.map(({ parts }) => estimateTokens(joinTexts(parts)) + TURN_TOKENS);
  return said.reduce((sum, tokens) => sum + tokens, system === null ? 0 : estimateTokens(system));
}
