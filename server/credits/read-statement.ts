import type { TokenUsage } from '#contract/chat.ts';
import type { EntryKind, LedgerEntry, LedgerPage } from '#contract/credits.ts';
import type { BaseDeps } from '#server/base-deps.ts';
import { listBooked, listEntries } from './list-entries.ts';
import { readBalance } from './read-balance.ts';
import { selectLots, selectNextFree } from './store.ts';

/** What the statement shows and the ledger does not know. */
export interface StatementReads {
  /** Messages of a user by their ids; what is deleted is left out. */
  listMessages(userId: string, messageIds: readonly string[]): Promise<ReadonlyMap<string, ChargedMessage>>;
}

/** What a line of the statement says of its message. */
export interface ChargedMessage {
  /** Of its conversation; null of a message of the API. */
  title: string | null;
  modelVersion: string | null;
  usage: TokenUsage | null;
}

const UNKNOWN: ChargedMessage = { title: null, modelVersion: null, usage: null };

/** Lines with what is known of their messages: the conversation on all lines, model version and tokens on charges alone. */
export async function addMessages(
  { listMessages }: StatementReads,
  userId: string,
  entries: readonly LedgerEntry[],
): Promise<LedgerEntry[]> {
  const ids = entries.flatMap(({ messageId }) => messageId ?? []);
  const messages = await listMessages(userId, [...new Set(ids)]);
  return entries.map((entry) => {
    const { title, modelVersion, usage } = messages.get(entry.messageId ?? '') ?? UNKNOWN;
    const isCharge = entry.kind === 'charge';
    return {
      ...entry,
      ...(title === null ? {} : { conversationTitle: title }),
      ...(isCharge && modelVersion !== null ? { modelVersion } : {}),
      ...(isCharge && usage !== null ? { usage } : {}),
    };
  });
}

/**
 * A page of the ledger as `listEntries` gives it, with what is known of its messages, and on the newest page of all lines what the
 * balance consists of and when free credits are given next.
 */
export async function readStatement(
  deps: Pick<BaseDeps, 'database' | 'clock'>,
  reads: StatementReads,
  userId: string,
  page: { cursor: string | null; limit: number; kind: EntryKind | null },
): Promise<LedgerPage> {
  const isNewest = page.cursor === null && page.kind === null;
  const found = isNewest ? await readNewest(deps, userId, page) : await listEntries(deps, userId, page);
  return { ...found, entries: await addMessages(reads, userId, found.entries) };
}

/** The newest page as it is at one moment, so that what the balance consists of adds up to it. */
async function readNewest(
  { database, clock }: Pick<BaseDeps, 'database' | 'clock'>,
  userId: string,
  page: { cursor: string | null; limit: number },
): Promise<LedgerPage> {
  const balance = await readBalance({ database, clock }, userId);
  return database.sql.begin('isolation level repeatable read read only', async (tx) => {
    const found = await listBooked(tx, { clock }, userId, { ...page, balance });
    const lots = await selectLots(tx, userId);
    const nextFreeAt = await selectNextFree(tx, userId, clock.databaseTime());
    return {
      ...found,
      lots: lots.map(({ credits, expiresAt }) => ({ credits, expiresAt: expiresAt.getTime() })),
      ...(nextFreeAt ? { nextFreeAt: nextFreeAt.getTime() } : {}),
    };
  });
}
