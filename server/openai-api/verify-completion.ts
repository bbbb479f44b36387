import type { Quote } from '#contract/message/quotes.ts';
import type { CompletionQuote } from '#contract/openai.ts';
import { findModel, isAskable, isOffered } from '#server/catalogue/rules.ts';
import { contextBudget } from '#server/chat/generation/compose-request.ts';
import { quoteModel } from '#server/chat/messages/quote-message.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { hashQuestion } from './question/hash-question.ts';
import {
  hasFiles,
  limitFileQuotes,
  limitKept,
  limitQuestion,
  requireCredits,
} from './question/limit-question.ts';
import { type OpenedQuestion, openFiles } from './question/open-files.ts';
import type { Completion } from './question/receive-completion.ts';
import { composeRequest, verifyOptions } from './question/verify-options.ts';
import { restoreCalls } from './restore-calls.ts';
import type { NewRequest } from './store.ts';

/** Who asks, and what the key allows beyond the plan. */
export interface Caller {
  userId: string;
  /** Null: the user on the API page. */
  keyId: string | null;
  /** Null: every model of the plan. */
  models: string[] | null;
  /** Ends the reading of their files: they have gone. */
  signal?: AbortSignal | undefined;
}

/** What is to be stored of a completion, and what its model is asked. */
export interface VerifiedCompletion {
  request: NewRequest;
  asked: ReturnType<typeof composeRequest>;
  quote: Quote;
}

type VerifyDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'metrics' | 'models'>;

/**
 * What is to be stored of a completion that the caller's key and plan allow, with its files read. Throws `unknown_model`,
 * `model_not_in_key`, `model_not_allowed`, `not_configured`, `unsupported_parameter`, `context_too_long`, `insufficient_credits` before
 * files are read for nothing, and as `openFiles`.
 */
export async function verifyCompletion(
  deps: VerifyDeps & Pick<Deps, 'instanceId'>,
  caller: Caller,
  { model, question }: Completion,
  idempotencyKey: string | null,
): Promise<VerifiedCompletion> {
  const { userId, keyId } = caller;
  const { quote, promptTokens, turns } = await verify(deps, caller, { model, question }, false);
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
    maxUnanswered: deps.config.limits.unansweredPerDay,
    maxUncharged: deps.config.limits.unchargedPerDay,
    at: deps.clock.databaseTime(),
  };
  return { request, asked: composeRequest(deps, { model, question, turns }), quote };
}

/**
 * The most that a completion would cost; pictures are neither fetched nor read for it. Throws as `verifyCompletion`, and
 * `rate_limited` for more with files than a minute has.
 */
export async function quoteCompletion(
  deps: VerifyDeps,
  caller: Pick<Caller, 'userId' | 'models' | 'signal'>,
  { model, question }: Completion,
): Promise<CompletionQuote> {
  limitFileQuotes(deps, caller.userId, question);
  const { quote } = await verify(deps, caller, { model, question }, true);
  return { object: 'quote', model, ...quote };
}

async function verify(
  deps: VerifyDeps,
  { userId, models, signal }: Pick<Caller, 'userId' | 'models' | 'signal'>,
  { model, question }: Pick<Completion, 'model' | 'question'>,
  isForPrice: boolean,
): Promise<{ quote: Quote; promptTokens: number; turns: OpenedQuestion['turns'] }> {
  requireModelInList(deps, model);
  requireModelInKey(models, model);
  const options = verifyOptions(deps, model, question);
  const plain = await quoteModel(deps, userId, { model, options });
  const limit = contextBudget(deps, model, options.effort);
  const textTokens = limitQuestion(question, limit);
  if (hasFiles(question) && !isForPrice) await requireCredits(deps, userId, plain.max);
  const asked = {
    userId,
    model,
    turns: isForPrice ? question.turns : await restoreCalls(deps, userId, question.turns),
    isForPrice,
    signal,
    context: { limit, taken: textTokens },
  };
  const { turns, fileTokens } = await openFiles(deps, asked);
  const promptTokens = fileTokens.reduce((sum, each) => sum + each, textTokens);
  const quote =
    fileTokens.length > 0 ? await quoteModel(deps, userId, { model, options, fileTokens }) : plain;
  return { quote, promptTokens, turns: limitKept(turns, limit - promptTokens) };
}

/** Throws `unknown_model` for a model that `/v1/models` does not list. */
function requireModelInList({ config }: Pick<Deps, 'config'>, model: string): void {
  const known = isAskable(model) ? findModel(model) : undefined;
  if (!known || !isOffered(known, config.upstream.chains)) throw new AppError('unknown_model', { model });
}

/** A key may be for some models only. Throws `model_not_in_key`. */
export function requireModelInKey(models: Caller['models'], model: string): void {
  if (models && !models.includes(model)) throw new AppError('model_not_in_key', { model });
}
