import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { dueAlerts } from './admin/alerts/alert-store.ts';
import { dueWebhooks } from './billing/inbox/inbox-store.ts';
import { dueUsers } from './billing/state/account-store.ts';
import { dueCancellations } from './billing/state/cancellation-store.ts';
import { duePolls } from './billing/state/poll-store.ts';
import { dueUncredited } from './billing/state/uncredited-store.ts';
import { overdue } from './computer/runs/run-store.ts';
import { dueReadings } from './files/ingest/reading-store.ts';
import { dueRemovals } from './files/removal/removal-store.ts';
import { dueDeletions } from './personal-data/deletion-queue-store.ts';
import { dueExports } from './personal-data/export-store.ts';
import type { Executor, Fragment } from './platform/database/database.ts';
import { dueMails } from './platform/mail/mail-queue.ts';

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

const NOW = new Date();
const QUEUES: Record<string, (sql: Executor) => Fragment> = {
  inbox: (sql) => dueWebhooks(sql, 'creem', NOW),
  projections: (sql) => dueUsers(sql, NOW),
  cancellations: (sql) => dueCancellations(sql, NOW),
  polls: (sql) => duePolls(sql, 'creem', NOW),
  'charges that grant nothing': (sql) => dueUncredited(sql, NOW),
  deletions: (sql) => dueDeletions(sql, NOW),
  exports: (sql) => dueExports(sql, NOW),
  mails: (sql) => dueMails(sql, NOW),
  readings: (sql) => dueReadings(sql, NOW),
  'objects of files': (sql) => dueRemovals(sql, 'objects', NOW),
  'copies of files': (sql) => dueRemovals(sql, 'copy', NOW),
  'alerts of the operator': (sql) => dueAlerts(sql, NOW),
  confirmations: (sql) => overdue(sql, NOW),
};

/** How PostgreSQL finds what is due in a statement that it has prepared for any time, after these settings. */
async function planOf(due: (sql: Executor) => Fragment, settings: string): Promise<string> {
  const { sql } = home.database;
  const { string, types } = await sql`(select 'one' as name ${due(sql)} limit 1)`.describe();
  const values = types.map((type) => (type === 25 ? "'creem'" : 'now()'));
  return sql.begin(async (tx) => {
    await tx.unsafe(`set local plan_cache_mode = force_generic_plan; ${settings} prepare due as ${string}`);
    const rows = await tx.unsafe(`explain execute due (${values})`);
    await tx.unsafe('deallocate due');
    return rows.map((row) => String(row['QUERY PLAN'])).join('\n');
  });
}

describe('what is due is in the order of an index', () => {
  it.each(Object.entries(QUEUES))('%s', async (_, due) => {
    const plan = await planOf(due, 'set local enable_seqscan = off; set local enable_bitmapscan = off;');
    expect(plan).toMatch(/Index (Only )?Scan/);
    expect(plan).not.toMatch(/(?<!Incremental )Sort {2}\(/);
  });
});

it('thousands of rows that wait for later are not read', async () => {
  await home.database.sql`
    insert into mails (id, key, template, to_address, language, params, created_at, next_try_at)
    select gen_random_uuid(), 'key' || n, 'receipt', 'a@example.com', 'zh', '{}', now(), now() + interval '1 day'
      from generate_series(1, 5000) n`;
  await home.database.sql`analyze mails`;
  expect(await planOf((sql) => dueMails(sql, NOW), '')).toContain('mails_due');
});
