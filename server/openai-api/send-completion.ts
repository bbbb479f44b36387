import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { costOf } from '#server/catalogue/rules.ts';
import { findFeed } from '#server/chat/follow-message.ts';
import { contextBudget } from '#server/chat/generation/build-request.ts';
import type { Feed } from '#server/chat/generation/feed.ts';
import { priceFor, refuseUnanswered, runningMessage } from '#server/chat/send-message.ts';
import { estimateTokens } from '#server/chat/upstream/estimate-tokens.ts';
import { publishCredits } from '#server/credits/publish-credits.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { isConnectionLost } from '#server/platform/database-errors.ts';
import { newId } from '#server/platform/ids.ts';
import type { Completion } from './parse-completion.ts';
import { insertRequest, type NewRequest, type SendOutcome } from './store.ts';

const ATTEMPTS = 3;
const RETRY_MS = 150;
/** What a turn costs besides its text. */
const TURN_TOKENS = 4;

export type SendDeps = Pick<
  Deps,
  'config' | 'database' | 'bus' | 'clock' | 'log' | 'instanceId' | 'generation'
>;

/** Who asks, and what the key allows beyond the plan. */
export interface Caller {
  userId: string;
  /** Null: the user on the API page. */
  keyId: string | null;
  /** Null: every model of the plan. */
  models: string[] | null;
}

export interface SentCompletion {
  messageId: string;
  feed: Feed;
  /** Credits held for it, or charged where it is a repeat. */
  cost: number;
  /** What the user can spend now; null where it was not looked at. */
  balance: number | null;
  createdAt: Date;
}

/**
 * Holds the price of an API request and has it answered, by the rules of the web chat. Under an idempotency key the same
 * question is one request and one charge, for good: a repeat gets the answer that runs or was given. Only an attempt that
 * cost nothing, and so gave no answer, is made again. Throws as `sendMessage` does, and `unknown_model`, `model_not_in_key`,
 * `context_too_long`, `idempotency_key_reused`, `monthly_cap_reached`, `invalid_api_key` for a key revoked a moment ago.
 */
export async function sendCompletion(
  deps: SendDeps,
  caller: Caller,
  completion: Completion,
  idempotencyKey: string | null,
): Promise<SentCompletion> {
  if (!deps.generation.beginSend()) throw new AppError('unavailable');
  try {
    const request = await prepare(deps, caller, completion, idempotencyKey);
    const outcome = await insertSurely(deps, request);
    if (outcome.result === 'sent') return begin(deps, request, completion, outcome);
    if (outcome.result === 'repeated') return await repeat(deps, request, completion, outcome);
    if (outcome.result === 'too_many_unanswered') throw refuseUnanswered(deps);
    throw refuse(outcome, request.cost);
  } finally {
    deps.generation.endSend();
  }
}

async function prepare(
  deps: SendDeps,
  { userId, keyId, models }: Caller,
  { model, question }: Completion,
  idempotencyKey: string | null,
): Promise<NewRequest> {
  if (costOf(model) === null) throw new AppError('unknown_model', { model });
  if (models && !models.includes(model)) throw new AppError('model_not_in_key', { model });
  const cost = await priceFor(deps, userId, model);
  const promptTokens = countTokens(question);
  const limit = contextBudget(deps, model);
  if (promptTokens > limit) throw new AppError('context_too_long', { tokens: promptTokens, limit });
  return {
    id: newId(),
    userId,
    keyId,
    idempotencyKey,
    bodyHash: hashQuestion(model, question),
    model,
    cost,
    promptTokens,
    owner: deps.instanceId,
    maxRunning: deps.config.limits.runningPerUser,
    maxUnanswered: deps.config.limits.unansweredPerDay,
    at: deps.clock.databaseTime(),
  };
}

/** What an idempotency key stands for, for good: names and order stay, and a new field is left out where it is not used. */
function hashQuestion(model: string, question: Completion['question']): Buffer {
  const { system, turns, temperature, topP, stop, seed, maxOutputTokens } = question;
  const asked = { model, system, turns, temperature, topP, stop, seed, maxOutputTokens };
  return createHash('sha256').update(JSON.stringify(asked)).digest();
}

function countTokens({ system, turns }: Completion['question']): number {
  const said = turns.map(({ text }) => estimateTokens(text) + TURN_TOKENS);
  return said.reduce((sum, tokens) => sum + tokens, system === null ? 0 : estimateTokens(system));
}

/** A connection that broke may have broken after the commit, so the same id is sent again: the answer is then `repeated`. */
async function insertSurely(deps: SendDeps, request: NewRequest): Promise<SendOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await insertRequest(deps.database.sql, request);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      deps.log.warn({ err: error, messageId: request.id, attempt }, 'an API request could not be stored');
      if (attempt === ATTEMPTS) throw new AppError('unavailable', {}, { cause: error });
    }
    await sleep(RETRY_MS * attempt);
  }
}

/** From here on the credits are held: the answer begins at once. */
function begin(
  deps: SendDeps,
  request: NewRequest,
  { question }: Completion,
  { balance, sentAt }: Pick<SendOutcome, 'balance' | 'sentAt'>,
): SentCompletion {
  const { id, userId, cost } = request;
  const most = deps.config.limits.outputTokens;
  const draft = { ...request, conversationId: id, parentId: null, content: '' };
  deps.generation.run(runningMessage(draft, sentAt), {
    ...question,
    maxOutputTokens: Math.min(question.maxOutputTokens ?? most, most),
  });
  if (balance !== null) publishCredits(deps.bus, userId, balance);
  const { feed } = deps.generation.find(id) ?? {};
  if (!feed) throw new Error('a run that was just begun is not there');
  return { messageId: id, feed, cost, balance, createdAt: sentAt };
}

async function repeat(
  deps: SendDeps,
  request: NewRequest,
  completion: Completion,
  { messageId, sentAt }: SendOutcome,
): Promise<SentCompletion> {
  const isOurs = messageId === request.id && !deps.generation.find(messageId);
  if (isOurs) return begin(deps, request, completion, { balance: null, sentAt });
  const feed = await findFeed(deps, request.userId, messageId);
  return { messageId, feed, cost: request.cost, balance: null, createdAt: sentAt };
}

function refuse({ result, balance, capLeft }: SendOutcome, needed: number): AppError {
  if (result === 'insufficient') {
    return new AppError('insufficient_credits', { needed, balance: balance ?? 0 });
  }
  if (result === 'cap_reached') {
    return new AppError('monthly_cap_reached', { needed, left: Math.max(0, capLeft ?? 0) });
  }
  if (result === 'key_reused') return new AppError('idempotency_key_reused');
  if (result === 'key_revoked') return new AppError('invalid_api_key');
  if (result === 'frozen') return new AppError('account_frozen');
  return new AppError('too_many_running', { seconds: 2 });
}
