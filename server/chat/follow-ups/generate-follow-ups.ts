import type { BaseDeps } from '#server/base-deps.ts';
import { missingSettingOf } from '#server/catalogue/rules.ts';
import { takeRateLimit } from '#server/platform/database/rate-limit.ts';
import {
  askInBackground,
  type BackgroundOutcome,
  runBackgroundCalls,
} from '../background-calls/run-background-calls.ts';
import { publishMessage } from '../message-store/publish-news.ts';
import type { MessageRow } from '../message-store/store.ts';
import { areFollowUpsPayable, followUpRequest, followUpsFrom, leadsOn } from './follow-up-rules.ts';
import { mayBeFollowed, updateFollowUps } from './follow-up-store.ts';

/** A user pays for an answer before each, so this is far above what one has in a day. */
const PER_DAY = { max: 300, windowSeconds: 86_400 };

type FollowUpDeps = Pick<
  BaseDeps,
  'models' | 'config' | 'database' | 'bus' | 'clock' | 'log' | 'metrics' | 'upstream'
>;

/** The questions that a model suggests after answers of this process. */
export interface FollowUps {
  /** Takes a message that ended well; returns at once. */
  consider(message: MessageRow): void;
  /** The conversation goes on: what would be suggested there is not needed any more. */
  cancel(conversationId: string): void;
  close(): void;
}

/**
 * Has the model of `FOLLOW_UP_MODEL` suggest what may be asked next, at no charge to the user, and only where that costs us a
 * hundredth at most of what the message earns (decision 73). The API and temporary conversations get none.
 */
export function generateFollowUps(deps: FollowUpDeps): FollowUps {
  const { config, clock, log, metrics } = deps;
  const writer = config.followUpModel;
  const { chains } = config.upstream;
  if (writer === null || missingSettingOf(writer, chains) !== null) {
    return { consider() {}, cancel() {}, close() {} };
  }
  const calls = runBackgroundCalls<MessageRow>({
    outcomes: metrics.followUps,
    write: (message, signal) => writeFollowUps(deps, writer, message, signal),
    onFault: ({ id }, err) => log.warn({ err, messageId: id }, 'follow-up questions were not written'),
  });
  const isPayable = ({ model, creditsUsed }: MessageRow) => {
    const found = deps.models.find(model);
    return found !== undefined && areFollowUpsPayable(found, creditsUsed, chains[writer] ?? [], clock.now());
  };
  return {
    consider(message) {
      if (!leadsOn(message)) return;
      if (isPayable(message)) calls.add(message);
      else metrics.followUps.inc({ outcome: 'too_dear' });
    },
    cancel: (conversationId) => calls.cancel((message) => message.conversationId === conversationId),
    close: calls.close,
  };
}

/** Null: nothing is to follow the message. Rejects when the model fails. */
async function writeFollowUps(
  deps: FollowUpDeps,
  writer: string,
  message: MessageRow,
  signal: AbortSignal,
): Promise<BackgroundOutcome> {
  const { database, clock, bus } = deps;
  const { sql } = database;
  const { id, userId, content } = message;
  if (!(await mayBeFollowed(sql, userId, id))) return null;
  if ((await takeRateLimit(sql, `follow-ups:${userId}`, PER_DAY, clock.databaseTime())) > 0) return 'limited';
  const question = { message, kind: 'follow_ups' as const, model: writer, request: followUpRequest(message) };
  const { written, isWhole } = await askInBackground(deps, question, signal);
  const questions = followUpsFrom(written, isWhole, content);
  if (questions.length === 0) throw new Error('the model wrote no questions');
  signal.throwIfAborted();
  const row = await updateFollowUps(sql, userId, id, questions);
  if (!row) return null;
  publishMessage(bus, row);
  return 'written';
}
