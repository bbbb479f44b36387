import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { insertUser } from '#test/factories.ts';
import { POSTGRES_VERSIONS } from '#test/runs.ts';

describe.each(POSTGRES_VERSIONS)('what a message cannot be on PostgreSQL %i', (version) => {
  let test: TestDatabase;
  let sql: Sql;

  beforeAll(async () => {
    test = await createTestDatabase({ version, poolSize: 2 });
    sql = test.database.sql;
  });
  afterAll(() => test.drop());

  /** A completed message that was charged. */
  async function insertCompleted(): Promise<string> {
    const { userId } = await insertUser(sql);
    const id = randomUUID();
    await sql`
      insert into conversations (id, user_id, title, folded_title, created_at, updated_at) values (${id}, ${userId}, 'x', 'x', now(), now())`;
    await sql`
      insert into messages (id, user_id, conversation_id, model, content, response, status, cost, credits_used, owner, created_at, ended_at, end_seq)
      values (${id}, ${userId}, ${id}, 'parley-flash', 'x', 'x', 'completed', 15, 15, ${id}, now(), now(), 1)`;
    return id;
  }

  it.each([
    ['in a state that there is not', "status = 'done', credits_used = 0", 'messages_status_check'],
    ['failed without a code', "status = 'failed', credits_used = 0", 'messages_fault_has_code'],
    ['completed with a fault', "error_code = 'x'", 'messages_fault_has_code'],
    ['stopped with a fault', "status = 'stopped', error_code = 'x'", 'messages_fault_has_code'],
    ['charged though it failed', "status = 'failed', error_code = 'x'", 'messages_charge_is_earned'],
    ['charged more than its price', "status = 'stopped', credits_used = 16", 'messages_charge_is_earned'],
    ['charged without a word', "status = 'stopped', response = ''", 'messages_charge_is_earned'],
    ['completed for nothing', 'credits_used = 0', 'messages_completed_is_charged'],
    ['completed for nothing with a file', "credits_used = 0, input = '{}'", 'messages_completed_is_charged'],
    [
      'running after its end',
      "status = 'running', credits_used = 0, end_seq = null",
      'messages_ended_has_time',
    ],
    ['in a conversation without a place', 'depth = null, chain_id = null', 'messages_has_place'],
    ['in a chain at no depth', 'depth = null', 'messages_has_place'],
    ['below others without a parent', 'depth = 1', 'messages_depth'],
    ['a fork without a parent', 'fork_of = id', 'messages_fork_begins_chain'],
  ])('%s', async (_, change, constraint) => {
    const id = await insertCompleted();
    const attempt = sql.unsafe(`update messages set ${change} where id = '${id}'`);
    await expect(attempt).rejects.toThrow(constraint);
  });

  it.each([
    ['stopped, charged or not', "status = 'stopped'"],
    ['failed with a code, for nothing', "status = 'failed', error_code = 'x', credits_used = 0"],
    ['completed for nothing by a browser', `credits_used = 0, input = '{"computer":{}}'`],
    ['interrupted with a code, for nothing', "status = 'interrupted', error_code = 'x', credits_used = 0"],
  ])('but it can be %s', async (_, change) => {
    const id = await insertCompleted();
    await sql.unsafe(`update messages set ${change} where id = '${id}'`);
  });
});
