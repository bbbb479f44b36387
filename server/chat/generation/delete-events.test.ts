import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database/database.ts';
import { deleteOldEvents } from './event-store.ts';

test('the event log forgets what is old, a bounded number of rows at a time', async () => {
  const { database, drop } = await createTestDatabase();
  const { sql } = database;
  for (const minutes of [0, 60, 76, 80, 90]) {
    await sql`insert into message_events (message_id, first_seq, last_seq, events, written_at)
              values (${randomUUID()}, 1, 1, '[["text",{"text":"x"}]]', now() - ${minutes} * interval '1 minute')`;
  }
  expect(await deleteOldEvents(sql, 75, 2)).toBe(2);
  expect(await deleteOldEvents(sql, 75, 2)).toBe(1);
  expect(await deleteOldEvents(sql, 75, 2)).toBe(0);
  const [left] = await sql`select count(*)::int as count from message_events`;
  expect(left?.count).toBe(2);
  await drop();
});
