import type { InboxScreen } from '#contract/admin/screens.ts';
import type { Deps } from '#server/deps.ts';
import { selectWebhooks } from './screen-store.ts';

const PAGE = 50;

/** Webhooks, the newest first. */
export async function listWebhooks(
  { database }: Pick<Deps, 'database'>,
  { status, cursor }: { status: string | null; cursor: string | null },
): Promise<InboxScreen> {
  const rows = await selectWebhooks(database.sql, { status, before: cursor, limit: PAGE + 1 });
  const shown = rows.slice(0, PAGE);
  return {
    webhooks: shown.map(({ receivedAt, ...webhook }) => ({ ...webhook, receivedAt: receivedAt.getTime() })),
    nextCursor: rows.length > PAGE ? (shown.at(-1)?.id ?? null) : null,
  };
}
