import type { SendMessage } from '#contract/chat.ts';
import type { Quote } from '#contract/message/quotes.ts';
import { publishCredits } from '#server/credits/publish-credits.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { cleanText } from '#server/platform/clean-text.ts';
import { Uncommitted } from '#server/platform/database/database.ts';
import { presentConversation } from '../message-store/present.ts';
import { publishConversation, publishMessage } from '../message-store/publish-news.ts';
import { titleOf } from '../message-store/rules.ts';
import { findMessage, type MessageRow, type NewMessage, type SendOutcome } from '../message-store/store.ts';
import { foldText } from '../search/slot-rules.ts';
import { areSameOptions, composeInput } from './compose-input.ts';
import { quoteMessage, quoteModel, stepsOf } from './quote-message.ts';
import { recordMessage } from './record-message.ts';

/** How long a caller waits. What takes longer still goes on, and is found by its id when the caller repeats it. */
const SEND_TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;
/** What holds the price and stores the message, until it is on disk. */
export const SEND_SPAN = {
  name: 'send transaction',
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql' },
} as const;

type SendDeps = Pick<
  Deps,
  | 'config'
  | 'database'
  | 'storages'
  | 'bus'
  | 'clock'
  | 'models'
  | 'log'
  | 'tracing'
  | 'instanceId'
  | 'generation'
  | 'computer'
>;

export interface SentMessage {
  message: MessageRow;
  /** False: this id was sent before, and nothing was done again. */
  isNew: boolean;
}

/**
 * Sends a message: holds its price, stores it, and has it answered. The same id with the same content is the same message, however often
 * and in however many tabs it is sent. Throws `prompt_empty`, `prompt_too_long`, `not_found`, `model_not_allowed`, `model_paused`,
 * `insufficient_credits`, `too_many_running`, `too_many_unanswered`, `parent_still_running`, `key_reused`, `account_frozen`,
 * `quote_changed`, `computer_busy`, `not_configured`, `unavailable`, and as `quoteMessage` for its files.
 */
export async function sendMessage(deps: SendDeps, userId: string, input: SendMessage): Promise<SentMessage> {
  if (!deps.generation.beginSend()) throw new AppError('unavailable');
  const sent = attempt(deps, userId, input, (input.files ?? []).length > 0).finally(() =>
    deps.generation.endSend(),
  );
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(() => tooLate.reject(new AppError('unavailable')), SEND_TIMEOUT_MS);
  try {
    return await Promise.race([sent, tooLate.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Looks for files where the message names some, or the conversation has some that every turn reads. */
async function attempt(
  deps: SendDeps,
  userId: string,
  input: SendMessage,
  looksForFiles: boolean,
): Promise<SentMessage> {
  const draft = await prepare(deps, userId, input, looksForFiles).catch(async (error) => {
    const before = error instanceof AppError ? await findMessage(deps.database.sql, userId, input.id) : null;
    if (before && isRepeatOf(before, input)) return { before };
    throw error;
  });
  if ('before' in draft)
    return { message: await deps.database.flush(new Uncommitted(draft.before)), isNew: false };
  const sent = await send(deps, draft);
  return sent === 'reads_files' ? attempt(deps, userId, input, true) : sent;
}

/** Whether a message is the same as one that was sent, as `send_message` compares them, also where its files are gone since. */
function isRepeatOf({ conversationId, parentId, model, content, input }: MessageRow, sent: SendMessage) {
  const named = input?.parts?.flatMap((part) => (part.kind === 'text' ? [] : [part.fileId])) ?? [];
  const wanted = [...new Set((sent.files ?? []).map((id) => id.toLowerCase()))];
  return (
    conversationId === sent.conversationId.toLowerCase() &&
    parentId === (sent.parentId?.toLowerCase() ?? null) &&
    model === sent.model &&
    content === cleanText(sent.content).trim() &&
    named.join() === wanted.join() &&
    areSameOptions(input?.options, sent.options)
  );
}

async function prepare(
  deps: SendDeps,
  userId: string,
  input: SendMessage,
  looksForFiles: boolean,
): Promise<NewMessage> {
  const content = cleanText(input.content).trim();
  const limit = deps.config.limits.prompt;
  if (content === '') throw new AppError('prompt_empty');
  if (content.length > limit) throw new AppError('prompt_too_long', { limit, length: content.length });
  const title = input.parentId === null ? titleOf(content) : '';
  const steps = stepsOf(deps, input);
  const { quote, reads } = looksForFiles
    ? await quoteMessage(deps, userId, input, steps)
    : { quote: await quoteModel(deps, userId, { ...input, steps: steps ?? 0 }), reads: null };
  if (steps !== null && (await deps.computer.isBusy(userId))) throw new AppError('computer_busy');
  if (input.maxCredits !== undefined && quote.max > input.maxCredits)
    await refuseQuote(deps, userId, input.id, quote);
  return {
    id: input.id.toLowerCase(),
    userId,
    conversationId: input.conversationId.toLowerCase(),
    parentId: input.parentId?.toLowerCase() ?? null,
    model: input.model,
    content,
    title,
    foldedTitle: foldText(title),
    isTemporary: input.temporary ?? false,
    input: composeInput(input, content, quote, reads, steps),
    cost: quote.max,
    owner: deps.instanceId,
    maxRunning: deps.config.limits.runningPerUser,
    maxUnanswered: deps.config.limits.unansweredPerDay,
    maxUncharged: deps.config.limits.unchargedPerDay,
    at: deps.clock.databaseTime(),
  };
}

/** Throws `quote_changed`, unless the message was sent before: then it is that one, whatever it would cost now. */
async function refuseQuote({ database }: SendDeps, userId: string, id: string, quote: Quote): Promise<void> {
  if (await findMessage(database.sql, userId, id.toLowerCase())) return;
  throw new AppError('quote_changed', { max: quote.max }, { quote });
}

async function send(deps: SendDeps, draft: NewMessage): Promise<SentMessage | 'reads_files'> {
  const { outcome, isRepeated } = await storeDraft(deps, draft);
  const { result, balance } = outcome;
  if (result === 'sent') return { message: publishSent(deps, draft, outcome), isNew: true };
  if (result === 'duplicate') return repeat(deps, draft, isRepeated);
  if (result === 'reads_files') return result;
  if (result === 'insufficient') {
    throw new AppError('insufficient_credits', { needed: draft.cost, balance: balance ?? 0 });
  }
  if (result === 'too_many_unanswered') throw refuseFreeMessage(deps, outcome.freeLimit);
  throw new AppError(REFUSALS[result]);
}

/** Stores it, or not, and begins its answer; resolves once that is on disk. */
function storeDraft(deps: SendDeps, draft: NewMessage) {
  return deps.tracing.measure(SEND_SPAN, async (span) => {
    const { stored, isRepeated } = await recordMessage(deps, draft);
    const outcome = await deps.database.flush(stored.map((sent) => begin(deps, draft, sent)));
    span.set({ 'parley.outcome': outcome.result });
    return { outcome, isRepeated };
  });
}

/** Too many free messages ended without an answer that day: sending goes on with the next day, in UTC. */
export function refuseFreeMessage({ clock }: Pick<Deps, 'clock'>, limit: number | null): AppError {
  if (limit === null) throw new Error('a message was refused without its limit');
  const now = clock.now().getTime();
  const until = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  return new AppError('too_many_unanswered', {
    limit,
    until: new Date(until).toISOString(),
    seconds: Math.ceil((until - now) / 1_000),
  });
}

const REFUSALS = {
  not_found: 'not_found',
  key_reused: 'key_reused',
  model_paused: 'model_paused',
  parent_running: 'parent_still_running',
  too_many: 'too_many_running',
  frozen: 'account_frozen',
} as const;

/** Begins the answer if the credits are held. */
function begin(deps: SendDeps, draft: NewMessage, outcome: SendOutcome): SendOutcome {
  if (outcome.result === 'sent') deps.generation.run(sentMessage(draft, outcome));
  return outcome;
}

function sentMessage(draft: NewMessage, { sentAt }: SendOutcome): MessageRow {
  return runningMessage(draft, sentAt ?? new Date());
}

/** Publishes a new message to the user's tabs, and returns it. */
function publishSent(deps: SendDeps, draft: NewMessage, outcome: SendOutcome): MessageRow {
  const { balance, title, startedAt, pinnedAt, isTemporary } = outcome;
  const message = sentMessage(draft, outcome);
  const { createdAt } = message;
  publishMessage(deps.bus, message);
  if (balance !== null) publishCredits(deps.bus, draft.userId, balance);
  const conversation = {
    id: draft.conversationId,
    title: title ?? draft.title,
    createdAt: startedAt ?? createdAt,
    updatedAt: createdAt,
    pinnedAt,
    archivedAt: null,
    isTemporary: isTemporary ?? false,
  };
  publishConversation(deps.bus, draft.userId, presentConversation(conversation));
  return message;
}

/** The row of a message that was just stored. */
export function runningMessage(
  draft: Omit<
    NewMessage,
    'title' | 'maxRunning' | 'maxUnanswered' | 'maxUncharged' | 'at' | 'isTemporary' | 'foldedTitle'
  >,
  createdAt: Date,
): MessageRow {
  return {
    id: draft.id,
    userId: draft.userId,
    conversationId: draft.conversationId,
    parentId: draft.parentId,
    model: draft.model,
    content: draft.content,
    response: '',
    status: 'running',
    input: draft.input,
    output: null,
    cost: draft.cost,
    creditsUsed: 0,
    errorCode: null,
    modelVersion: null,
    contextTrimmed: false,
    upstreamSwitched: false,
    usage: null,
    finishReason: null,
    firstTextMs: null,
    owner: draft.owner,
    endSeq: null,
    createdAt,
    endedAt: null,
  };
}

/** The message that has this id already. After a broken connection it may be our own, which is not answered yet. */
async function repeat(deps: SendDeps, draft: NewMessage, isRepeated: boolean): Promise<SentMessage> {
  const message = await findMessage(deps.database.sql, draft.userId, draft.id);
  if (!message) throw new AppError('not_found');
  const isWithoutRun =
    isRepeated &&
    message.status === 'running' &&
    message.owner === deps.instanceId &&
    !deps.generation.find(message.id);
  if (isWithoutRun) deps.generation.run(message);
  // Its end may be committed a moment ago, by this or another process.
  return { message: await deps.database.flush(new Uncommitted(message)), isNew: isWithoutRun };
}
