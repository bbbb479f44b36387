import type { Feed } from '#server/chat/generation/feed.ts';
import { findFeed } from '#server/chat/messages/follow-message.ts';
import { refuseFreeMessage, runningMessage, SEND_SPAN } from '#server/chat/messages/send-message.ts';
import { publishCredits } from '#server/credits/publish-credits.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Uncommitted } from '#server/platform/database/database.ts';
import { isConnectionLost } from '#server/platform/database/database-errors.ts';
import { retryStatement } from '#server/platform/database/retry-statement.ts';
import { noteAbout } from '#server/platform/telemetry/request-context.ts';
import { hashQuestion } from './question/hash-question.ts';
import type { Completion } from './question/receive-completion.ts';
import {
  type FormerRequest,
  findExchange,
  findFormer,
  insertRequest,
  type NewRequest,
  type SendOutcome,
} from './store.ts';
import {
  type Caller,
  requireModelInKey,
  type VerifiedCompletion,
  verifyCompletion,
} from './verify-completion.ts';
import { watchFeed } from './watch-feed.ts';

export type { Caller };

export type SendDeps = Pick<
  Deps,
  | 'config'
  | 'database'
  | 'bus'
  | 'clock'
  | 'models'
  | 'log'
  | 'metrics'
  | 'tracing'
  | 'instanceId'
  | 'generation'
>;

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
    // Whoever asks for an answer again gets it also where it would be refused now, or cost something else; but by no key for other models.
    const former =
      idempotencyKey === null ? null : await findFormer(deps.database.sql, caller.userId, idempotencyKey);
    if (former) return await follow(deps, caller, completion, former);
    const verified = await verifyCompletion(deps, caller, completion, idempotencyKey);
    const { request } = verified;
    noteAbout({ messageId: request.id });
    const { outcome, sent } = await storeRequest(deps, verified, completion);
    if (sent) {
      if (sent.balance !== null) publishCredits(deps.bus, caller.userId, sent.balance);
      return sent;
    }
    if (outcome.result === 'repeated') return await repeat(deps, verified, completion, outcome);
    if (outcome.result === 'too_many_unanswered') throw refuseFreeMessage(deps, outcome.freeLimit);
    throw refuse(outcome, request.cost);
  } finally {
    deps.generation.endSend();
  }
}

/** Stores it, or not, and begins its answer; resolves once that is on disk. */
function storeRequest(deps: SendDeps, verified: VerifiedCompletion, completion: Completion) {
  const { request } = verified;
  return deps.tracing.measure(SEND_SPAN, async (span) => {
    const stored = await insertWithRetry(deps, request);
    const begun = stored.map((outcome) => ({ outcome, sent: begin(deps, verified, completion, outcome) }));
    const ended = await flush(deps, request, begun);
    span.set({ 'parley.outcome': ended.outcome.result });
    return ended;
  });
}

/** A connection that broke may have broken after the commit, so the same id is sent again: the answer is then `repeated`. */
function insertWithRetry(deps: SendDeps, request: NewRequest): Promise<Uncommitted<SendOutcome>> {
  return retryStatement(
    () => deps.database.pinned((sql) => insertRequest(sql, request)),
    (error, attempt) => {
      if (!isConnectionLost(error)) return false;
      deps.log.warn({ err: error, messageId: request.id, attempt }, 'an API request could not be stored');
      return true;
    },
  );
}

/**
 * Opens what was begun once it is on disk. Where that cannot be confirmed, it waits for the end of the answer, which is stored only where
 * its beginning is: a caller who is refused has paid nothing. Throws `unavailable` where the beginning was lost.
 */
async function flush<T>(deps: SendDeps, { id }: NewRequest, begun: Uncommitted<T>): Promise<T> {
  try {
    return await deps.database.flush(begun);
  } catch (error) {
    const run = deps.generation.find(id);
    if (!run) throw error;
    deps.log.warn({ err: error, messageId: id }, 'the beginning of an answer could not be confirmed');
    await watchFeed(run.feed, 'end');
    return deps.database.flush(begun);
  }
}

/** Begins the answer of a request whose credits are held; null when it was refused or repeats another. */
function begin(
  deps: SendDeps,
  verified: VerifiedCompletion,
  completion: Completion,
  { result, balance, sentAt }: SendOutcome,
): SentCompletion | null {
  return result === 'sent' ? run(deps, verified, completion, { balance, sentAt }) : null;
}

function run(
  deps: SendDeps,
  { request, asked, quote }: VerifiedCompletion,
  { question }: Completion,
  { balance, sentAt }: Pick<SendOutcome, 'balance' | 'sentAt'>,
): SentCompletion {
  const { id, cost } = request;
  const most = deps.config.limits.outputTokens;
  const input = quote.lines.some(({ kind }) => kind !== 'message') ? { quote } : null;
  const draft = { ...request, conversationId: id, parentId: null, content: '', input };
  const { feed } = deps.generation.run(runningMessage(draft, sentAt), {
    ...asked,
    maxOutputTokens: Math.min(question.maxOutputTokens ?? most, most),
  });
  return { messageId: id, feed, cost, balance, createdAt: sentAt };
}

async function repeat(
  deps: SendDeps,
  verified: VerifiedCompletion,
  completion: Completion,
  { messageId, sentAt }: SendOutcome,
): Promise<SentCompletion> {
  const { request } = verified;
  const isOurs = messageId === request.id && !deps.generation.find(messageId);
  if (isOurs) return run(deps, verified, completion, { balance: null, sentAt });
  const exchange = await findExchange(deps.database.sql, request.userId, messageId);
  return answerOf(deps, request, { messageId, sentAt, cost: exchange?.cost ?? request.cost });
}

/** The answer to a former request under the same key, whatever became of it since. */
async function follow(
  deps: SendDeps,
  { userId, models }: Caller,
  { model, question }: Completion,
  former: FormerRequest,
): Promise<SentCompletion> {
  requireModelInKey(models, model);
  if (!former.bodyHash.equals(hashQuestion(model, question))) throw new AppError('idempotency_key_reused');
  return answerOf(deps, { userId }, former);
}

async function answerOf(
  deps: SendDeps,
  { userId }: Pick<Caller, 'userId'>,
  { messageId, sentAt, cost }: Omit<FormerRequest, 'bodyHash'>,
): Promise<SentCompletion> {
  noteAbout({ messageId });
  const feed = await findFeed(deps, userId, messageId);
  return { messageId, feed, cost, balance: null, createdAt: sentAt };
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
  if (result === 'model_paused') return new AppError('model_paused');
  if (result === 'frozen') return new AppError('account_frozen');
  return new AppError('too_many_running', { seconds: 2 });
}
