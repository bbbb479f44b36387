import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { createLog } from '#server/platform/log.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import type { MessageRow } from '../message-store/store.ts';
import { Run } from './run.ts';
import { createWriter, type Writer } from './writer.ts';

let home: TestDatabase;
let writer: Writer;
beforeAll(async () => {
  home = await createTestDatabase();
  writer = createWriter(home.database.sql, createLog('silent'), () => {});
});
afterAll(async () => {
  writer.close();
  await home.drop();
});

function startRun(id = newId()): Run {
  return new Run({ id } as MessageRow, { onWaiting: () => {}, onEvent: writer.add });
}

/** An event that PostgreSQL refuses. */
function poison(run: Run) {
  run.feed.append([{ type: 'notice', data: '{"code":"\\u0000"}' }]);
  writer.add(run);
}

async function logged({ message }: Run): Promise<number[]> {
  const rows = await home.database.sql<{ lastSeq: number }[]>`
    select last_seq as "lastSeq" from message_events where message_id = ${message.id} order by last_seq`;
  return rows.map(({ lastSeq }) => lastSeq);
}

test('a run whose events are refused keeps no other out of the log, and is given up once lost', async () => {
  const [one, refused, other] = [startRun(), startRun(), startRun()];
  one.notice('context_trimmed');
  poison(refused);
  other.notice('context_trimmed');
  await expect(writer.flush()).rejects.toThrow();
  expect([await logged(one), await logged(refused), await logged(other)]).toEqual([[1], [], [1]]);
  other.notice('upstream_switched');
  await expect(writer.flush()).rejects.toThrow();
  expect(await logged(other)).toEqual([1, 2]);
  refused.feed.lose();
  await writer.flush().catch(() => {});
  await writer.flush();
});

test('a lost run whose end could not be stored is still logged', async () => {
  const run = startRun();
  run.notice('context_trimmed');
  run.feed.lose();
  await writer.flush();
  expect(await logged(run)).toEqual([1]);
});

test('a run that another one takes the place of is not logged any more', async () => {
  const former = startRun();
  former.notice('context_trimmed');
  former.stop('lost');
  const next = startRun(former.message.id);
  next.notice('context_trimmed');
  next.notice('upstream_switched');
  await writer.flush();
  expect(await logged(next)).toEqual([2]);
});
