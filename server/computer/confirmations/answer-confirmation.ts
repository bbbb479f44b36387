import type { Quote } from '#contract/message/quotes.ts';
import { extendQuote } from '#server/catalogue/quote-rules.ts';
import type { MessageInput } from '#server/chat/message-store/message-parts.ts';
import { readMessage } from '#server/chat/messages/list-messages.ts';
import { publishCredits } from '#server/credits/publish-credits.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { publishRun } from '../runs/publish-run.ts';
import {
  type ConfirmationRow,
  callAnswerConfirmation,
  selectOwnConfirmation,
} from './run-confirmation-store.ts';

type AnswerDeps = Pick<Deps, 'database' | 'bus' | 'clock'>;

/**
 * Answers what a run asked, once, from any tab and at any process. More steps are paid for in the same transaction: what they cost is
 * held, or nothing is answered. Throws `not_found`, `confirmation_answered`, `insufficient_credits`, `account_frozen`.
 */
export async function answerConfirmation(
  deps: AnswerDeps,
  { userId, messageId, id, isAllowed }: { userId: string; messageId: string; id: string; isAllowed: boolean },
): Promise<void> {
  const { sql } = deps.database;
  const asked = await selectOwnConfirmation(sql, userId, messageId, id);
  if (!asked) throw new AppError('not_found');
  const input = isAllowed && asked.reason === 'more_steps' ? await inputWithMore(deps, userId, asked) : null;
  const state = isAllowed ? 'allowed' : 'denied';
  const at = deps.clock.databaseTime();
  const { result, needed, balance } = await callAnswerConfirmation(sql, {
    userId,
    messageId,
    id,
    state,
    input,
    at,
  });
  if (result === 'not_found') throw new AppError('not_found');
  if (result === 'over') throw new AppError('confirmation_answered');
  if (result === 'frozen') throw new AppError('account_frozen');
  if (result === 'insufficient')
    throw new AppError('insufficient_credits', { needed: needed ?? 0, balance: balance ?? 0 });
  if (balance !== null) publishCredits(deps.bus, userId, balance);
  publishRun(deps.bus, messageId);
}

/** What a message has besides its text once more steps are paid for. */
async function inputWithMore(
  deps: AnswerDeps,
  userId: string,
  { messageId, params }: ConfirmationRow,
): Promise<MessageInput> {
  const message = await readMessage(deps, userId, messageId);
  const { input } = message ?? {};
  if (!input?.computer) throw new AppError('confirmation_answered');
  const more = { steps: Number(params.steps), credits: Number(params.credits) };
  const quote: Quote = extendQuote(input.quote, input.computer.steps, more);
  return { ...input, computer: { steps: input.computer.steps + more.steps }, quote };
}
