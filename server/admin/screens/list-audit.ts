import { z } from 'zod';
import type { AuditScreen } from '#contract/admin/screens.ts';
import { csvLine, UTF8_MARK } from '#contract/csv-line.ts';
import type { Deps } from '#server/deps.ts';
import { presentAudit } from './present-screen.ts';
import { selectAuditLines } from './screen-store.ts';

const PAGE = 50;
const AT_ONCE = 500;

/** Where a page of the log begins: after the line of this number. */
export const auditCursorSchema = z.string().regex(/^\d{1,18}$/);

export interface AuditFilter {
  actor: string | null;
  act: string | null;
  userId: string | null;
}

/** What operators did, the newest first. */
export async function listAudit(
  { database }: Pick<Deps, 'database'>,
  filter: AuditFilter,
  cursor: string | null,
): Promise<AuditScreen> {
  const rows = await selectAuditLines(database.sql, { ...filter, before: cursor, limit: PAGE + 1 });
  const shown = rows.slice(0, PAGE);
  return {
    lines: shown.map(presentAudit),
    nextCursor: rows.length > PAGE ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** The whole audit log as CSV, the newest line first; times in UTC. */
export async function* exportAudit({ database }: Pick<Deps, 'database'>): AsyncGenerator<string> {
  yield UTF8_MARK + csvLine(['id', 'at', 'actor', 'act', 'user', 'subject', 'reason', 'details', 'via']);
  const all = { actor: null, act: null, userId: null };
  let before: string | null = null;
  for (;;) {
    const rows = await selectAuditLines(database.sql, { ...all, before, limit: AT_ONCE });
    yield rows
      .map(({ id, at, actor, viaCommandLine, act, userId, subject, reason, details }) =>
        csvLine([
          ...[Number(id), at.toISOString(), actor, act, userId, subject, reason, JSON.stringify(details)],
          viaCommandLine ? 'command line' : 'console',
        ]),
      )
      .join('');
    before = rows.at(-1)?.id ?? null;
    if (rows.length < AT_ONCE) return;
  }
}
