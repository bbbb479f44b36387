import type { BaseDeps } from '#server/base-deps.ts';
import { missingSettingOf } from '#server/catalogue/rules.ts';
import { takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { foldText } from '../search/slot-rules.ts';
import { presentConversation } from '../tree/present.ts';
import { publishConversation } from '../tree/publish-news.ts';
import type { MessageRow } from '../tree/store.ts';
import { MAX_WRITTEN, titleFrom, titleRequest } from './title-rules.ts';
import { claimTitle, updateTitle } from './title-store.ts';

const AT_ONCE = 4;
/** What comes while so many wait keeps its first words. */
const MAX_WAITING = 200;
const TIMEOUT_MS = 15_000;
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
  const waiting: MessageRow[] = [];
  const closing = new AbortController();
  let underWay = 0;
  const isOff = model === null || missingSettingOf(model, config.upstream.routes) !== null;

  async function startNext() {
    const message = underWay < AT_ONCE ? waiting.shift() : undefined;
    if (!message || model === null || closing.signal.aborted) return;
    underWay += 1;
    try {
      const outcome = await generateTitle(deps, model, message, closing.signal);
      if (outcome) metrics.titles.inc({ outcome });
    } catch (err) {
      metrics.titles.inc({ outcome: 'failed' });
      if (!closing.signal.aborted)
        log.warn(
          { err, conversationId: message.conversationId },
          'a title was not written; its first words stay',
        );
    }
    underWay -= 1;
    void startNext();
  }

  return {
    consider(message) {
      const isFirst = message.parentId === null && message.conversationId !== message.id;
      if (isOff || !isFirst || message.creditsUsed === 0 || waiting.length >= MAX_WAITING) return;
      waiting.push(message);
      void startNext();
    },
    close() {
      closing.abort();
    },
  };
}

/** Null: the conversation has a title, or is to have none. Rejects when the model fails. */
async function generateTitle(
  { database: { sql }, clock, bus, upstream }: TitleDeps,
  model: string,
  message: MessageRow,
  closing: AbortSignal,
): Promise<'written' | 'limited' | null> {
  const { userId, conversationId } = message;
  const at = clock.databaseTime();
  if (!(await claimTitle(sql, userId, conversationId, at))) return null;
  if ((await takeRateLimit(sql, `titles:${userId}`, PER_DAY, at)) > 0) return 'limited';
  let written = '';
  const handlers = {
    onText: (text: string) => {
      if (written.length < MAX_WRITTEN) written += text;
    },
    onReasoning: () => {},
    onPart: () => {},
    onNotice: () => {},
  };
  const signal = AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT_MS)]);
  await upstream.stream(model, titleRequest(message), handlers, signal);
  const title = titleFrom(written);
  if (title === '') throw new Error('the model wrote no title');
  const row = await updateTitle(sql, userId, conversationId, { title, foldedTitle: foldText(title) });
  if (!row) return null;
  publishConversation(bus, userId, presentConversation(row));
  return 'written';
}
