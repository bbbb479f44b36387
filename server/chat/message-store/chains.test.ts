import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { plantTree, type TreeNode } from '#test/chat/conversation-tree.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { insertUser } from '#test/factories.ts';
import { POSTGRES_VERSIONS } from '#test/runs.ts';
import { insertMessage } from './store.ts';

// a ─ b ─ c ─ d
//   │   ├ e ─ f        g is below b as well,
//   └ h ─ j            and i is another beginning.
const PARENTS = { a: '', b: 'a', c: 'b', d: 'c', e: 'b', f: 'e', g: 'b', h: 'a', i: '', j: 'h' };
const NAMES = Object.keys(PARENTS);
const NODES: TreeNode[] = Object.values(PARENTS).map((parent, at) => ({
  parent: parent === '' ? null : NAMES.indexOf(parent),
  at,
}));
/** Depth, chain, and the chain that it leaves. */
const PLACES = {
  a: [0, 'a', null],
  b: [1, 'a', null],
  c: [2, 'a', null],
  d: [3, 'a', null],
  e: [2, 'e', 'a'],
  f: [3, 'e', null],
  g: [2, 'g', 'a'],
  h: [1, 'h', 'a'],
  i: [0, 'i', null],
  j: [2, 'h', null],
};

describe.each(POSTGRES_VERSIONS)('the chains of a conversation on PostgreSQL %i', (version) => {
  let test: TestDatabase;
  let userId: string;

  beforeAll(async () => {
    test = await createTestDatabase({ version });
    ({ userId } = await insertUser(test.database.sql));
  });
  afterAll(() => test.drop());

  async function placesOf(ids: string[]) {
    const name = (id: string | null) => (id === null ? null : NAMES[ids.indexOf(id)]);
    const rows = await test.database.sql<
      { id: string; depth: number; chainId: string; forkOf: string | null }[]
    >`select id, depth, chain_id as "chainId", fork_of as "forkOf" from messages where id = any(${ids}::uuid[])`;
    return Object.fromEntries(
      rows.map(({ id, depth, chainId, forkOf }) => [name(id), [depth, name(chainId), name(forkOf)]]),
    );
  }

  it('go on with the first child, and begin with every other message', async () => {
    const { ids } = await plantTree(test.database.sql, userId, NODES);
    expect(await placesOf(ids)).toEqual(PLACES);
  });

  it('are the same for what is sent', async () => {
    const { sql } = test.database;
    const [conversationId, ...ids] = Array.from({ length: NAMES.length + 1 }, () => randomUUID());
    for (const [n, { parent }] of NODES.entries()) {
      const id = ids[n] ?? '';
      const stored = await insertMessage(sql, {
        ...{ id, userId, conversationId: conversationId ?? '', owner: id, at: null },
        parentId: parent === null ? null : (ids[parent] ?? null),
        ...{ model: 'parley-flash', content: 'What next?', title: 'Talk', foldedTitle: 'talk' },
        ...{ isTemporary: false, input: null, cost: 1, maxRunning: 1, maxUnanswered: 30, maxUncharged: 100 },
      });
      expect((await test.database.flush(stored)).result).toBe('sent');
      await sql`update messages set status = 'failed', error_code = 'x', end_seq = 2, ended_at = now() where id = ${id}`;
    }
    expect(await placesOf(ids)).toEqual(PLACES);
  });

  it('have one message at each depth', async () => {
    const { sql } = test.database;
    const { ids } = await plantTree(sql, userId, NODES);
    const attempt = sql`update messages set chain_id = ${ids[0] ?? ''}, fork_of = null where id = ${ids[4] ?? ''}`;
    await expect(attempt).rejects.toThrow('messages_chains');
  });

  it('are there for the messages that an older version left, and for none of the API', async () => {
    const { sql } = test.database;
    const { ids } = await plantTree(sql, userId, NODES);
    const api = randomUUID();
    await sql`
      insert into messages (id, user_id, model, content, cost, owner, created_at)
      values (${api}, ${userId}, 'parley-flash', '', 1, ${api}, now())`;
    await sql`drop trigger messages_place on messages`;
    await sql`drop function place_message`;
    await sql`alter table messages drop column depth, drop column chain_id, drop column fork_of`;
    await sql`delete from schema_migrations where name = '0025_chains.sql'`;
    await migrate(test.url);
    expect(await placesOf(ids)).toEqual(PLACES);
    const places = await sql`select depth, chain_id, fork_of from messages where id = ${api}`;
    expect([...places]).toEqual([{ depth: null, chain_id: null, fork_of: null }]);
    await sql`delete from messages where id = ${ids[9] ?? ''}`;
    await sql`
      insert into messages (id, user_id, conversation_id, parent_id, model, content, cost, owner, created_at)
      select ${ids[9] ?? ''}, user_id, conversation_id, id, model, 'again', 1, id, now() from messages where id = ${ids[7] ?? ''}`;
    expect((await placesOf(ids)).j).toEqual(PLACES.j);
  });
});
