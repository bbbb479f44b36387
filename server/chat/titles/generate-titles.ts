import type { BaseDeps } from '#server/base-deps.ts';
import { missingSettingOf } from '#server/catalogue/rules.ts';
import { takeRateLimit } from '#server/platform/database/rate-limit.ts';
import {
  askInBackground,
  type BackgroundOutcome,
  runBackgroundCalls,
} from '../background-calls/run-background-calls.ts';
import { presentConversation } from '../message-store/present.ts';
import { publishConversation } from '../message-store/publish-news.ts';
import type { MessageRow } from '../message-store/store.ts';
import { foldText } from '../search/slot-rules.ts';
import { titleFrom, titleRequest } from './title-rules.ts';
import { claimTitle, updateTitle } from './title-store.ts';

/** A user pays for an answer before each title, so this is far above what one has in a day. */
const PER_DAY = { max: 300, windowSeconds: 86_400 };

type TitleDeps = Pick<BaseDeps, 'config' | 'database' | 'bus' | 'clock' | 'log' | 'metrics' | 'upstream'>;

/** The titles that a model writes for conversations of this process. */
export interface Titles {
  /** Takes a message that ended: the first of a conversation, once it was charged, gives that a title. Returns at once. */
  consider(message: MessageRow): void;
  /** Gives up what is under way; those conversations keep their first words. */
  close(): void;
}

/**
 * Has the model of `TITLE_MODEL` name conversations at no charge to their users, each once (decision 58). After a failure the first
 * words stay; a name that the user gives is never overwritten.
 */
export function generateTitles(deps: TitleDeps): Titles {
  const { config, log, metrics } = deps;
  const model = config.titleModel;
  if (model === null || missingSettingOf(model, config.upstream.chains) !== null) {
    return { consider() {}, close() {} };
  }
  const calls = runBackgroundCalls<MessageRow>({
    outcomes: metrics.titles,
    write: (message, signal) => generateTitle(deps, model, message, signal),
    onFault: ({ conversationId }, err) =>
      log.warn({ err, conversationId }, 'a title was not written; its first words stay'),
  });
  return {
    consider(message) {
      // The conversation of a message of the API is the message itself.
      const isFirst = message.parentId === null && message.conversationId !== message.id;
      if (isFirst && message.creditsUsed > 0) calls.add(message);
    },
    close: calls.close,
  };
}

/** Null: the conversation has a title, or is to have none. Rejects when the model fails. */
async function generateTitle(
  deps: TitleDeps,
  model: string,
  message: MessageRow,
  signal: AbortSignal,
): Promise<BackgroundOutcome> {
  const { clock, bus } = deps;
  const { sql } = deps.database;
  const { userId, conversationId } = message;
  const at = clock.databaseTime();
  if (!(await claimTitle(sql, userId, conversationId, at))) return null;
  if ((await takeRateLimit(sql, `titles:${userId}`, PER_DAY, at)) > 0) return 'limited';
  const { written } = await askInBackground(
    deps,
    { message, kind: 'title', model, request: titleRequest(message) },
    signal,
  );
  const title = titleFrom(written);
  if (title === '') throw new Error('the model wrote no title');
  const row = await updateTitle(sql, userId, conversationId, { title, foldedTitle: foldText(title) });
  if (!row) return null;
  publishConversation(bus, userId, presentConversation(row));
  return 'written';
}
