import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchPage } from '#contract/chat.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { countRowsRead } from '#test/database/rows-read.ts';
import { IS_LONG, POSTGRES_VERSIONS } from '#test/runs.ts';
import { clearReadTexts, fillSearchIndex, indexMessages } from './index-messages.ts';
import { searchConversations } from './search-conversations.ts';

type User = TestClient & { userId: string };

describe.each(POSTGRES_VERSIONS)('what is stored for search on PostgreSQL %i', (version) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ version });
  });
  afterAll(async () => {
    await app.close();
  });

  async function search(client: User, q: string): Promise<SearchPage> {
    const response = await client.get(`/api/conversations/search?q=${encodeURIComponent(q)}`);
    expect(response.status).toBe(200);
    return (await response.json()) as SearchPage;
  }

  const countHits = async (client: User, q: string) => (await search(client, q)).hits.length;

  /** One more conversation of `count` ended messages, of which search was told; the newest has the highest number. */
  async function say(userId: string, count: number, content: (n: number) => string): Promise<string> {
    const { sql } = app.database.database;
    const place = randomUUID();
    await sql`insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
            values (${place}, ${userId}, 'Talk', 'talk', now(), now())`;
    await sql`
      insert into messages (id, user_id, conversation_id, model, content, response, status, cost, credits_used, owner,
        end_seq, created_at, ended_at)
      select gen_random_uuid(), ${userId}, ${place}, 'parley-flash', content, '的', 'completed', 15, 15,
             gen_random_uuid(), 2, now() + n * interval '1 second', now()
        from unnest(${Array.from({ length: count }, (_, n) => content(n))}::text[]) with ordinality as t (content, n)`;
    await sql`insert into search_queue select id from messages where conversation_id = ${place}`;
    await counted(userId);
    return place;
  }

  /** Waits until search knows of all that was said; the app's own job may be taking some at this moment. */
  async function counted(userId: string) {
    const { sql } = app.database.database;
    const countQueued = async () => {
      await indexMessages(app.deps);
      return (
        await sql`select from search_queue q join messages m on m.id = q.message_id where m.user_id = ${userId}`
      ).length;
    };
    await expect.poll(countQueued).toBe(0);
  }

  async function someone(count: number, content: (n: number) => string): Promise<User> {
    const user = await app.signedIn();
    await say(user.userId, count, content);
    return user;
  }

  /** How the user is searched, how many texts are stored, and how many of them are in the index. */
  async function stateOf({ userId }: User) {
    const { sql } = app.database.database;
    const [row] = await sql<{ mode: string; stored: number; indexed: number }[]>`
      select mode, (select count(*)::int from search_texts where user_id = ${userId}) as stored,
             (select count(*)::int from search_index where user_id = ${userId}) as indexed
        from search_users where user_id = ${userId}`;
    return row && [row.mode, row.stored, row.indexed];
  }

  it('is nothing of a user with few texts, whose messages are found as soon as they have ended', async () => {
    const user = await app.signedIn();
    await ask(user, { content: '鲸落' });
    expect(await countHits(user, '鲸落')).toBe(2);
    await counted(user.userId);
    expect(await stateOf(user)).toEqual(['read', 0, 0]);
  });

  it('is all of a user who came to have more than a thousand, who finds the same before, meanwhile and after', async () => {
    const user = await someone(990, (n) => (n < 3 ? `鲸落${n}` : `第${n}夜`));
    expect(await stateOf(user)).toEqual(['read', 0, 0]);
    const before = await search(user, '鲸落');
    expect(before.hits).toHaveLength(3);
    await say(user.userId, 50, (n) => `白天${n}`);
    expect((await stateOf(user))?.[0]).toBe('storing');
    expect(await search(user, '鲸落')).toEqual(before);
    await fillSearchIndex(app.deps);
    expect(await stateOf(user)).toEqual(['indexed', 1_040, 1_040]);
    expect(await search(user, '鲸落')).toEqual(before);
    await ask(user, { content: '又见鲸落' });
    await counted(user.userId);
    expect(await stateOf(user)).toEqual(['indexed', 1_041, 1_041]);
    expect(await countHits(user, '又见鲸落')).toBe(2);
  });

  it('is counted once, however often a conversation is kept', async () => {
    const user = await app.signedIn();
    const place = await say(user.userId, 3, (n) => `潮汐${n}`);
    const { sql } = app.database.database;
    await sql`update conversations set is_temporary = true where id = ${place}`;
    for (let times = 0; times < 3; times += 1) {
      const { status } = await user.request(`/api/conversations/${place}`, {
        method: 'PATCH',
        body: '{"temporary":false}',
        headers: { 'content-type': 'application/json' },
      });
      expect(status).toBe(200);
      await counted(user.userId);
    }
    const [row] = await sql`select texts from search_users where user_id = ${user.userId}`;
    // Three of `say`, and three of the one time that it came to be kept.
    expect(row?.texts).toBe(6);
  });

  it.runIf(IS_LONG)('is all of a user with few texts that are long', async () => {
    const user = await someone(21, (n) => `${n}${'长'.repeat(33_000)}`);
    expect((await stateOf(user))?.[0]).toBe('storing');
    await fillSearchIndex(app.deps);
    expect(await stateOf(user)).toEqual(['indexed', 21, 21]);
    expect(await countHits(user, '20长')).toBe(1);
  });

  it.runIf(IS_LONG)(
    'lacks nothing that ended while it was being filled, or was deleted and brought back',
    async () => {
      const { sql } = app.database.database;
      const user = await someone(1_001, (n) => `第${n}夜`);
      const place = await say(user.userId, 1, () => '鲸落');
      await sql`update conversations set deleted_at = now() where id = ${place}`;
      expect(await countHits(user, '鲸落')).toBe(0);
      await Promise.all([
        fillSearchIndex(app.deps),
        say(user.userId, 120, (n) => `潮汐${n}`),
        fillSearchIndex(app.deps),
      ]);
      await expect
        .poll(async () => {
          await fillSearchIndex(app.deps);
          return stateOf(user);
        })
        .toEqual(['indexed', 1_122, 1_122]);
      expect(await countHits(user, '鲸落')).toBe(0);
      await sql`update conversations set deleted_at = null where id = ${place}`;
      expect(await countHits(user, '鲸落')).toBe(1);
    },
  );

  it.runIf(IS_LONG)('goes with its messages, and what is left is found', async () => {
    const { sql } = app.database.database;
    const user = await app.signedIn();
    const place = await say(user.userId, 1_001, (n) => `第${n}夜`);
    await say(user.userId, 3, () => '鲸落');
    await fillSearchIndex(app.deps);
    await sql`delete from conversations where id = ${place}`;
    expect(await stateOf(user)).toEqual(['indexed', 3, 3]);
    expect(await countHits(user, '鲸落')).toBe(3);
    expect(await countHits(user, '第')).toBe(0);
  });

  it.runIf(IS_LONG)(
    'can be analysed and vacuumed, as PostgreSQL does by itself, without a search path',
    async () => {
      await someone(1_001, (n) => `周报${n}`);
      await fillSearchIndex(app.deps);
      await app.database.database.sql`vacuum analyze search_texts, search_index`;
    },
  );

  describe('by a server of the version before', () => {
    /** Stores the texts of a user as that version did. */
    async function storeAsBefore({ userId }: User, mode: 'scanned' | 'filling') {
      const { sql } = app.database.database;
      await sql`
        insert into search_texts (message_id, user_id, conversation_id, sent_at, body)
        select id, user_id, conversation_id, created_at, content || '  ' || response from messages where user_id = ${userId}
        on conflict do nothing`;
      await sql`
        update search_users set mode = ${mode}, texts = (select count(*) from search_texts where user_id = ${userId})
         where user_id = ${userId}`;
    }

    it('is deleted where there is little, and finds the same meanwhile', async () => {
      const few = await someone(3, (n) => `鲸落${n}`);
      const many = await someone(1_001, (n) => `第${n}夜`);
      await fillSearchIndex(app.deps);
      await storeAsBefore(few, 'scanned');
      expect(await stateOf(few)).toEqual(['scanned', 3, 0]);
      expect(await countHits(few, '鲸落')).toBe(3);
      await clearReadTexts(app.deps);
      expect(await stateOf(few)).toEqual(['read', 0, 0]);
      expect(await countHits(few, '鲸落')).toBe(3);
      expect(await stateOf(many)).toEqual(['indexed', 1_001, 1_001]);
    });

    it('is deleted too where a message was counted since, or that server stored another', async () => {
      const user = await someone(3, (n) => `鲸落${n}`);
      await storeAsBefore(user, 'scanned');
      await say(user.userId, 1, () => '潮汐');
      expect(await stateOf(user)).toEqual(['read', 3, 0]);
      await clearReadTexts(app.deps);
      expect(await stateOf(user)).toEqual(['read', 0, 0]);
    });

    it('is indexed where there is much, also of few messages', async () => {
      const user = await app.signedIn();
      await say(user.userId, 21, (n) => `${n}${'长'.repeat(33_000)}`);
      await storeAsBefore(user, 'scanned');
      await clearReadTexts(app.deps);
      expect((await stateOf(user))?.[0]).toBe('storing');
      await fillSearchIndex(app.deps);
      expect(await stateOf(user)).toEqual(['indexed', 21, 21]);
      expect(await countHits(user, '20长')).toBe(1);
    });

    it.runIf(IS_LONG)('is completed where it had begun to fill the index', async () => {
      const user = await someone(1_001, (n) => `第${n}夜`);
      await storeAsBefore(user, 'filling');
      await fillSearchIndex(app.deps);
      expect(await stateOf(user)).toEqual(['indexed', 1_001, 1_001]);
      expect(await countHits(user, '第1000夜')).toBe(1);
    });
  });

  it.runIf(IS_LONG)(
    'lets a search read few rows, whatever plan is kept for its statements, of a user with many and of one with few',
    async () => {
      const { database } = app.database;
      const haystack = (n: number) => (n === 5 ? '鲸落 needle' : `第${n}夜 haystack`);
      const heavy = await someone(3_000, haystack);
      const light = await someone(20, haystack);
      await fillSearchIndex(app.deps);
      await database.sql`analyze search_texts, search_index, search_users, conversations, messages`;
      for (const [user, most] of [
        [heavy, 1_000],
        [light, 100],
      ] as const) {
        for (const q of ['鲸落', '鲸', 'needle', 'nowhere', '第6夜 haystack']) {
          const find = async (sql: Executor) => {
            const deps = { database: { ...database, sql: sql as typeof database.sql } };
            const page = await searchConversations(deps, user.userId, { q, cursor: null, limit: 20 });
            expect(page.hits.length, q).toBeGreaterThanOrEqual(q === 'nowhere' ? 0 : 1);
          };
          expect(await countRowsRead(database, find), `${q} of ${user.userId}`).toBeLessThan(most);
        }
      }
    },
  );
});
