import type { ConfirmationPart } from '#contract/message/parts.ts';
import { publishMessage } from '#server/chat/message-store/publish-news.ts';
import { readMessage } from '#server/chat/messages/list-messages.ts';
import { AppError } from '#server/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { Abandoned, type LiveRun } from '../runs/live-run.ts';
import type { RunDeps } from '../runs/run-deps.ts';
import { callAnswerConfirmation, insertConfirmation, selectConfirmation } from './run-confirmation-store.ts';

type Question = Pick<ConfirmationPart, 'reason' | 'params'>;

/**
 * Asks the user of a run and waits for the answer: a row and a part of the answer, so that it survives a reload and can be answered from
 * any tab, at any process. Returns whether they allow it; false as soon as `isOver`. Throws `Abandoned` where they do not answer in time.
 */
export async function requestConfirmation(
  deps: RunDeps,
  live: LiveRun,
  question: Question,
  isOver: () => boolean = () => false,
): Promise<boolean> {
  const answer = await live.inTimeOfUser(() => askAndWait(deps, live, question, isOver));
  live.run.addPart(answer);
  if (answer.state === 'expired') throw new Abandoned();
  await live.change({ state: 'running', askedUntil: null });
  if (answer.state === 'allowed' && answer.reason === 'more_steps') await takeNewPrice(deps, live);
  return answer.state === 'allowed';
}

async function askAndWait(
  deps: RunDeps,
  live: LiveRun,
  { reason, params }: Question,
  isOver: () => boolean,
): Promise<ConfirmationPart> {
  const { sql } = deps.database;
  const question = { id: newId(), messageId: live.id, reason, params };
  const asked = await insertConfirmation(sql, question, live.userTimeoutMs(), deps.clock.databaseTime());
  if (!asked) throw new AppError('interrupted');
  const { id, expiresAt } = asked;
  const part = { kind: 'confirmation', id, reason, params, expiresAt: expiresAt.getTime() } as const;
  live.run.addPart({ ...part, state: 'waiting' });
  await live.change({ state: 'waiting', askedUntil: expiresAt });
  const state = await live.waitFor(async () => {
    if (isOver()) await deny(deps, live, id);
    const row = await selectConfirmation(sql, id);
    return row?.state === 'waiting' ? null : (row?.state ?? 'ended');
  });
  if (state === 'ended') throw new AppError('interrupted');
  return { ...part, state };
}

/** Denies a question in the name of its user, who is not needed any more. */
async function deny(
  { database, clock }: RunDeps,
  { id: messageId, run }: LiveRun,
  id: string,
): Promise<void> {
  const { userId } = run.message;
  const at = clock.databaseTime();
  await callAnswerConfirmation(database.sql, { userId, messageId, id, state: 'denied', input: null, at });
}

/** Takes over the price of the message, which is higher since its user allowed more steps. */
async function takeNewPrice(deps: RunDeps, live: LiveRun): Promise<void> {
  const message = await readMessage(deps, live.run.message.userId, live.id);
  if (!message) throw new AppError('interrupted');
  live.run.reprice(message);
  publishMessage(deps.bus, message);
}
