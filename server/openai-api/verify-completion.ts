import { createHash } from 'node:crypto';
import type { Quote } from '#contract/message/quotes.ts';
import type { CompletionQuote } from '#contract/openai.ts';
import { costOf } from '#server/catalogue/rules.ts';
import { contextBudget } from '#server/chat/generation/compose-request.ts';
import { quoteModel } from '#server/chat/messages/quote-message.ts';
import { textOf } from '#server/chat/upstream/transport/turn-parts.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { newId } from '#server/platform/ids.ts';
import type { Completion } from './parse-completion.ts';
import type { NewRequest } from './store.ts';

/** What a turn costs besides its text. */
const TURN_TOKENS = 4;

/** Who asks, and what the key allows beyond the plan. */
export interface Caller {
  userId: string;
  /** Null: the user on the API page. */
  keyId: string | null;
  /** Null: every model of the plan. */
  models: string[] | null;
}

/**
 * What is to be stored of a completion that the caller's key and plan allow. Throws `unknown_model`, `model_not_in_key`,
 * `model_not_allowed`, `not_configured`, `context_too_long`.
 */
export async function verifyCompletion(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'instanceId'>,
  { userId, keyId, models }: Caller,
  { model, question }: Completion,
  idempotencyKey: string | null,
): Promise<NewRequest> {
  const { quote, promptTokens } = await verify(deps, { userId, models }, { model, question });
  return {
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
}

/** The most that a completion would cost. Throws as `verifyCompletion`. */
export async function quoteCompletion(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  caller: Pick<Caller, 'userId' | 'models'>,
  { model, question }: Completion,
): Promise<CompletionQuote> {
  const { quote } = await verify(deps, caller, { model, question });
  return { object: 'quote', model, ...quote };
}

async function verify(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  { userId, models }: Pick<Caller, 'userId' | 'models'>,
  { model, question }: Pick<Completion, 'model' | 'question'>,
): Promise<{ quote: Quote; promptTokens: number }> {
  if (costOf(model) === null) throw new AppError('unknown_model', { model });
  if (models && !models.includes(model)) throw new AppError('model_not_in_key', { model });
  const quote = await quoteModel(deps, userId, { model });
  const promptTokens = countTokens(question);
  const limit = contextBudget(deps, model);
  if (promptTokens > limit) throw new AppError('context_too_long', { tokens: promptTokens, limit });
  return { quote, promptTokens };
}

/** What an idempotency key stands for, for good: names and order stay, and a new field is left out where it is not used. */
function hashQuestion(model: string, question: Completion['question']): Buffer {
  const { system, temperature, topP, stop, seed, maxOutputTokens } = question;
  const turns = question.turns.map((turn) => ({ role: turn.role, text: textOf(turn) }));
  const asked = { model, system, turns, temperature, topP, stop, seed, maxOutputTokens };
  return createHash('sha256').update(JSON.stringify(asked)).digest();
}

function countTokens({ system, turns }: Completion['question']): number {
  const said = turns.map((turn) => estimateTokens(textOf(turn)) + TURN_TOKENS);
  return said.reduce((sum, tokens) => sum + tokens, system === null ? 0 : estimateTokens(system));
}
