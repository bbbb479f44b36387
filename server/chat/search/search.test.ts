import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchHit, SearchPage } from '#contract/chat.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, refusal, send, waitForEnd } from '#test/chat/chat.ts';
import { storeFile } from '#test/chat/files.ts';
import type { TestClient } from '#test/client.ts';
import { POSTGRES_VERSIONS } from '#test/runs.ts';
import { fillSearchIndex } from './index-messages.ts';

describe.each(POSTGRES_VERSIONS)('on PostgreSQL %i', (version) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ version });
  });
  afterAll(async () => {
    await app.close();
  });

  type User = TestClient & { userId: string };

  /** Searches the messages of the user, and then what is stored of them, which has to find the same. */
  async function search(client: User, q: string, more = ''): Promise<SearchPage> {
    const { sql } = app.database.database;
    const { userId } = client;
    const find = async () => {
      const response = await client.get(`/api/conversations/search?q=${encodeURIComponent(q)}${more}`);
      expect(response.status).toBe(200);
      return (await response.json()) as SearchPage;
    };
    const page = await find();
    await sql`
      insert into search_users values (${userId}, 0, 'storing') on conflict (user_id) do update set mode = 'storing'`;
    await expect
      .poll(async () => {
        await fillSearchIndex(app.deps);
        return (await sql`select from search_users where user_id = ${userId} and mode = 'indexed'`).length;
      })
      .toBe(1);
    expect(await find()).toEqual(page);
    await sql`update search_users set mode = 'read' where user_id = ${userId}`;
    return page;
  }

  /** What is marked in a hit. */
  function marked({ snippet, ranges }: SearchHit): string[] {
    return ranges.map(([from, to]) => snippet.slice(from, to));
  }

  interface Said {
    content: string;
    response: string;
    title?: string;
  }

  /** Conversations of one message each by SQL, oldest first; the ids of the messages. */
  async function say(userId: string, said: Said[]): Promise<string[]> {
    const { sql } = app.database.database;
    const ids: string[] = [];
    for (const [n, { content, response, title = 'Talk' }] of said.entries()) {
      const [id, place] = [randomUUID(), randomUUID()];
      const at = new Date(Date.now() - (said.length - n) * 60_000);
      await sql`insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
              values (${place}, ${userId}, ${title}, lower(normalize(${title}, NFKC)), ${at}, ${at})`;
      await sql`insert into messages (id, user_id, conversation_id, model, content, response, status, cost, credits_used,
                owner, end_seq, created_at, ended_at)
              values (${id}, ${userId}, ${place}, 'parley-flash', ${content}, ${response}, 'completed', 15, 15, ${id}, 2,
                ${at}, ${at})`;
      ids.push(id);
    }
    return ids;
  }

  const LAMP = { content: '台灯怎么选？', response: '看色温、显色指数和频闪。' };
  const REPORT = { content: '帮我写周报', response: '本周完成了 ＡＰＩ 网关的 Deployment，下周继续。' };
  const ENGLISH = {
    content: 'What does 100% mean in C_sharp?',
    response: 'Ｎｏｔｈｉｎｇ special. Straße und İstanbul.',
  };

  test.each<[q: string, place: number, where: string, words: string[]]>([
    ['灯', 0, 'prompt', ['灯']],
    ['周报', 1, 'prompt', ['周报']],
    ['写周报', 1, 'prompt', ['写周报']],
    ['色温、显色', 0, 'answer', ['色温、显色']],
    ['api', 1, 'answer', ['ＡＰＩ']],
    ['ＡＰＩ网', 1, 'answer', []],
    ['deploy', 1, 'answer', ['Deploy']],
    ['网关 DEPLOYMENT', 1, 'answer', ['网关', 'Deployment']],
    ['周报 下周', 1, 'prompt', ['周报']],
    ['nothing', 2, 'answer', ['Ｎｏｔｈｉｎｇ']],
    ['100%', 2, 'prompt', ['100%']],
    ['C_s', 2, 'prompt', ['C_s']],
    ['istanbul', 2, 'answer', []],
  ])('%j finds what it should', async (q, place, where, words) => {
    const user = await app.signedIn();
    const ids = await say(user.userId, [LAMP, REPORT, ENGLISH]);
    const { hits } = await search(user, q);
    if (words.length === 0) return expect(hits).toEqual([]);
    expect(hits.map((hit) => [hit.messageId, hit.where, marked(hit)])).toEqual([[ids[place], where, words]]);
  });

  test.each(['%', '__', '\\', "' or 1=1", '100_', '温色', '周  报'])(
    '%j finds nothing that is not there',
    async (q) => {
      const user = await app.signedIn();
      await say(user.userId, [LAMP, { content: '100x', response: '周而复始的报' }]);
      const { hits } = await search(user, q);
      expect(hits.map(({ snippet }) => snippet)).toEqual(q === '周  报' ? ['周而复始的报'] : []);
    },
  );

  test.each([
    ['', 'q'],
    ['%20%E3%80%80', 'q'],
    ['x'.repeat(201), 'q'],
    ['x&limit=0', 'limit'],
    ['x&cursor=x', 'cursor'],
    ['x&cursor=z1_00000000-0000-4000-8000-000000000000', 'cursor'],
  ])('the search %j is refused by its field', async (q, field) => {
    const user = await app.signedIn();
    const response = await user.get(`/api/conversations/search?q=${q}`);
    expect(await refusal(response)).toMatchObject({
      status: 422,
      code: 'invalid_request',
      params: { field },
    });
  });

  test('titles come first, then messages, newest first, over pages that leave nothing out', async () => {
    const user = await app.signedIn();
    const said = Array.from({ length: 7 }, (_, n) => ({
      content: `第${n}次散步`,
      response: '好。',
      title: n % 3 === 0 ? `散步 ${n}` : 'Talk',
    }));
    const ids = await say(user.userId, said);
    const seen: (string | null)[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: SearchPage = await search(user, '散步', `&limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.hits.map((hit) => hit.messageId ?? hit.conversation.title));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(['散步 6', '散步 3', '散步 0', ...ids.toReversed()]);
  });

  test('what is rare is found behind hundreds of newer messages, and what is common on every page', async () => {
    const user = await app.signedIn();
    const { sql } = app.database.database;
    const [needle] = await say(user.userId, [{ content: '鲸落', response: '深海里的绿洲。' }]);
    const place = randomUUID();
    await sql`insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
            values (${place}, ${user.userId}, 'Talk', 'talk', now(), now())`;
    await sql`
    insert into messages (id, user_id, conversation_id, model, content, response, status, cost, credits_used, owner,
      end_seq, created_at, ended_at)
    select gen_random_uuid(), ${user.userId}, ${place}, 'parley-flash', '深海第' || n || '夜', '的', 'completed', 15, 15,
           gen_random_uuid(), 2, now() + n * interval '1 second', now()
      from generate_series(1, 450) n`;
    expect((await search(user, '鲸落 绿洲')).hits.map(({ messageId }) => messageId)).toEqual([needle]);
    const seen = new Set<string | null>();
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: SearchPage = await search(user, '深海', `&limit=100${cursor && `&cursor=${cursor}`}`);
      for (const { messageId } of page.hits) seen.add(messageId);
      cursor = page.nextCursor;
    }
    expect(seen.size).toBe(451);
  });

  test('an answer is found soon after its end; a temporary one only once it is kept', async () => {
    const user = await app.signedIn();
    await ask(user, { content: '潮汐表' });
    const secret = { id: randomUUID(), conversationId: randomUUID(), parentId: null, content: '潮汐的秘密' };
    await user.post('/api/messages', { ...secret, model: 'gemini-2.5-flash-lite', temporary: true });
    await waitForEnd(user, secret.id);
    const found = async () =>
      (await search(user, '潮汐')).hits.map(({ where, snippet }) => `${where} ${snippet}`);
    await expect.poll(found).toEqual(['title 潮汐表', 'prompt 潮汐表']);
    await user.request(`/api/conversations/${secret.conversationId}`, {
      method: 'PATCH',
      body: '{"temporary":false}',
      headers: { 'content-type': 'application/json' },
    });
    await expect.poll(async () => (await found()).length).toBe(4);
  });

  test('what is deleted or somebody else’s is not found, what is archived is, by its new title', async () => {
    const [user, other] = [await app.signedIn(), await app.signedIn()];
    const message = await ask(user, { content: '独一无二的问题' });
    const path = `/api/conversations/${message.conversationId}`;
    const patch = (body: object) =>
      user.request(path, {
        method: 'PATCH',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    await patch({ archived: true, title: 'Ｇrüße' });
    expect((await search(user, 'GRÜSSE')).hits).toEqual([]);
    expect((await search(user, 'GRÜ')).hits.map(({ where }) => where)).toEqual(['title']);
    expect((await search(user, '独一无二')).hits.map(({ where }) => where)).toEqual(['prompt']);
    expect((await search(other, '独一无二')).hits).toEqual([]);
    await user.request(path, { method: 'DELETE' });
    expect((await search(user, '独一无二')).hits).toEqual([]);
    expect((await search(user, 'GRÜ')).hits).toEqual([]);
  });

  test('a message is found by the name of its file', async () => {
    const user = await app.signedIn();
    const { sql } = app.database.database;
    const file = await storeFile(sql, user.userId, { name: '租房合同-2026.txt', text: '押金两万元' });
    const { id } = await ask(user, { files: [file], content: '有什么要注意的？' });
    const { hits } = await search(user, '租房合同');
    expect(hits.map(({ messageId, where }) => [messageId, where])).toEqual([[id, 'prompt']]);
    expect(hits.map(marked)).toEqual([['租房合同']]);
    expect(await search(await app.signedIn(), '租房合同')).toMatchObject({ hits: [] });
  });

  test('a failed, a stopped and an unanswered message are found by their prompts', async () => {
    const user = await app.signedIn();
    await ask(user, { content: '/emulate http-400 珊瑚' });
    const running = await send(user, { content: '/emulate slow-first-token ms=60000 珊瑚' });
    await user.post(`/api/messages/${running.id}/stop`);
    await waitForEnd(user, running.id);
    const { hits } = await search(user, '珊瑚');
    expect(hits.filter(({ where }) => where === 'prompt')).toHaveLength(2);
  });

  test('an answer of steps, code and pictures alone is found by its prompt, and what is in them by nothing', async () => {
    const user = await app.signedIn();
    const message = await ask(user, { content: '灯塔在哪里' });
    const parts = [
      { kind: 'step', n: 1, intent: 'nautilus', action: 'click', args: '{}', url: 'http://nautilus.test/' },
      { kind: 'code', language: 'python', code: 'nautilus()' },
      {
        kind: 'confirmation',
        id: message.id,
        reason: 'new_site',
        state: 'allowed',
        params: {},
        expiresAt: 0,
      },
      { kind: 'image', fileId: message.id, alt: 'nautilus' },
    ];
    await app.database.database.sql`
      update messages set response = '', output = ${JSON.stringify({ parts })}::text::jsonb where id = ${message.id}`;
    expect((await search(user, '灯塔')).hits.map(({ where }) => where)).toEqual(['title', 'prompt']);
    expect((await search(user, 'nautilus')).hits).toEqual([]);
  });
});
