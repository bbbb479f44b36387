import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BranchPage } from '#contract/chat.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, refusal } from '#test/chat/chat.ts';
import { plantTree, siblingsOf } from '#test/chat/conversation-tree.ts';
import type { TestClient } from '#test/client.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ version: 15 });
});
afterAll(async () => {
  await app.close();
});

interface Tree {
  conversationId: string;
  id(name: string): string;
  name(id: string | null): string | null;
}

/** A conversation by SQL: each `child<parent` is a message, sent a second after the one before it. */
async function grow(userId: string, edges: string[]): Promise<Tree> {
  const { sql } = app.database.database;
  const conversationId = randomUUID();
  const ids = new Map<string, string>(edges.map((edge) => [edge.split('<')[0] ?? '', randomUUID()]));
  const id = (name: string) => ids.get(name) ?? name;
  await sql`insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
            values (${conversationId}, ${userId}, 'Talk', 'talk', now(), now())`;
  const rows = edges.map((edge, n) => {
    const [name = '', parent = ''] = edge.split('<');
    return { id: id(name), parent: parent === '' ? null : id(parent), name, n };
  });
  await sql`
    insert into messages (id, user_id, conversation_id, parent_id, model, content, response, status, cost, credits_used,
      owner, end_seq, created_at, ended_at)
    select id, ${userId}, ${conversationId}, parent, 'parley-flash', name, 'yes', 'completed', 15, 15, id, 2,
           now() + n * interval '1 second', now()
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (id uuid, parent uuid, name text, n int) order by n`;
  const names = new Map([...ids].map(([name, one]) => [one, name]));
  return { conversationId, id, name: (one) => (one === null ? null : (names.get(one) ?? '?')) };
}

async function read(client: TestClient, tree: Tree, query: Record<string, string>) {
  const search = new URLSearchParams({ conversationId: tree.conversationId, ...query });
  const response = await client.get(`/api/messages?${search}`);
  expect(response.status).toBe(200);
  const page = (await response.json()) as BranchPage;
  return {
    page,
    shown: page.messages.map(({ id }) => tree.name(id)).join(' '),
    older: tree.name(page.olderCursor),
    newer: tree.name(page.newerCursor),
    leaf: tree.name(page.leafId),
    siblings: Object.fromEntries(
      Object.entries(page.siblings).map(([id, all]) => [tree.name(id), all.map(tree.name).join(' ')]),
    ),
  };
}

// a ─ b ─ c ─ d
//   │   └ C ─ D ─ E        A is another beginning.
//   └ B ─ x
const EDGES = ['a<', 'b<a', 'c<b', 'd<c', 'C<b', 'D<C', 'A<', 'B<a', 'E<D', 'x<B'];

test('the newest branch is the one that ends with the newest message', async () => {
  const user = await app.signedIn();
  const tree = await grow(user.userId, EDGES);
  expect(await read(user, tree, { branch: 'newest' })).toMatchObject({
    shown: 'a B x',
    older: null,
    newer: null,
    leaf: 'x',
    siblings: { a: 'a A', B: 'b B' },
  });
});

test.each([
  ['b', 'a b C D E', 'E', { a: 'a A', b: 'b B', C: 'c C' }],
  ['c', 'a b c d', 'd', { a: 'a A', b: 'b B', c: 'c C' }],
  ['E', 'a b C D E', 'E', { a: 'a A', b: 'b B', C: 'c C' }],
  ['A', 'A', 'A', { A: 'a A' }],
  ['a', 'a B x', 'x', { a: 'a A', B: 'b B' }],
])('the branch through %s is %s', async (branch, shown, leaf, siblings) => {
  const user = await app.signedIn();
  const tree = await grow(user.userId, EDGES);
  const found = await read(user, tree, { branch: tree.id(branch) });
  expect(found).toMatchObject({ shown, leaf, older: null, newer: null, siblings });
});

test('a long branch is read in pages, upwards from its end and both ways from a message', async () => {
  const user = await app.signedIn();
  const names = Array.from({ length: 20 }, (_, n) => `m${n}`);
  const tree = await grow(user.userId, [...names.map((name, n) => `${name}<${names[n - 1] ?? ''}`)]);
  const end = await read(user, tree, { branch: 'newest', limit: '6' });
  expect(end).toMatchObject({ shown: 'm14 m15 m16 m17 m18 m19', older: 'm14', newer: null });
  const above = await read(user, tree, { branch: 'newest', limit: '14', before: tree.id('m14') });
  expect(above).toMatchObject({ shown: names.slice(0, 14).join(' '), older: null, newer: 'm13' });
  const around = await read(user, tree, { branch: tree.id('m10'), limit: '6' });
  expect(around).toMatchObject({ shown: 'm8 m9 m10 m11 m12 m13', older: 'm8', newer: 'm13', leaf: 'm19' });
  const below = { branch: tree.id('m19'), limit: '3', after: tree.id('m13') };
  expect(await read(user, tree, below)).toMatchObject({ shown: 'm14 m15 m16', older: 'm14', newer: 'm16' });
  const last = await read(user, tree, { ...below, after: tree.id('m16') });
  expect(last).toMatchObject({ shown: 'm17 m18 m19', newer: null });
  expect(await read(user, tree, { ...below, after: tree.id('m19') })).toMatchObject({
    shown: '',
    newer: null,
  });
  expect(await read(user, tree, { branch: tree.id('m1'), limit: '6' })).toMatchObject({
    shown: 'm0 m1 m2 m3 m4 m5',
    older: null,
    newer: 'm5',
  });
  expect(await read(user, tree, { branch: tree.id('m18'), limit: '6' })).toMatchObject({
    shown: 'm14 m15 m16 m17 m18 m19',
    older: 'm14',
    newer: null,
  });
});

test('a message that is not on the way to the leaf, or not in the conversation, is not found', async () => {
  const user = await app.signedIn();
  const tree = await grow(user.userId, EDGES);
  const other = await grow(user.userId, ['z<']);
  const path = `/api/messages?conversationId=${tree.conversationId}`;
  for (const query of [
    `&branch=${tree.id('d')}&after=${tree.id('B')}`,
    `&branch=${other.id('z')}`,
    `&branch=newest&before=${other.id('z')}`,
    `&branch=newest&after=${other.id('z')}`,
  ]) {
    expect((await user.get(path + query)).status, query).toBe(404);
  }
  const both = `${path}&branch=newest&before=${tree.id('a')}&after=${tree.id('a')}`;
  expect(await refusal(await user.get(both))).toMatchObject({ status: 422, params: { field: 'after' } });
  const flat = await user.get(`${path}&after=${tree.id('a')}`);
  expect(await refusal(flat)).toMatchObject({ status: 422, params: { field: 'after' } });
});

test('a conversation without messages has an empty branch', async () => {
  const user = await app.signedIn();
  const tree = await grow(user.userId, []);
  const { page } = await read(user, tree, { branch: 'newest' });
  expect(page).toEqual({
    messages: [],
    olderCursor: null,
    newerCursor: null,
    leafId: null,
    siblings: {},
    siblingsBeyond: {},
  });
});

test('asking again with another model, and a tab that knows less, make siblings; nothing is lost', async () => {
  const user = await app.signedIn();
  const root = await ask(user, { content: 'root' });
  const place = { conversationId: root.conversationId, parentId: root.id };
  const first = await ask(user, { ...place, content: 'Why?' });
  const again = await ask(user, { ...place, content: 'Why?', model: 'parley-flash' });
  const response = await user.get(`/api/messages?conversationId=${root.conversationId}&branch=newest`);
  const page = (await response.json()) as BranchPage;
  expect(page.messages).toEqual([root, again]);
  expect(page.siblings).toEqual({ [again.id]: [first.id, again.id] });
  const before = await user.get(`/api/messages?conversationId=${root.conversationId}&branch=${first.id}`);
  expect(((await before.json()) as BranchPage).messages).toEqual([root, first]);
});

test('of 3,000 messages at one place each names those around it, and how many there are beyond', async () => {
  const user = await app.signedIn();
  const { sql } = app.database.database;
  const { conversationId, ids } = await plantTree(sql, user.userId, siblingsOf(3_000));
  const around = async (place: number) => {
    const id = ids[place] ?? '';
    const search = new URLSearchParams({ conversationId, branch: id });
    const page = (await (await user.get(`/api/messages?${search}`)).json()) as BranchPage;
    const named = page.siblings[id] ?? [];
    expect(named).toEqual(ids.slice(ids.indexOf(named[0] ?? ''), ids.indexOf(named.at(-1) ?? '') + 1));
    return { place: named.indexOf(id), count: named.length, ...page.siblingsBeyond[id] };
  };
  expect(await around(1)).toEqual({ place: 0, count: 100, older: 0, newer: 2_900 });
  expect(await around(1_500)).toEqual({ place: 100, count: 200, older: 1_399, newer: 1_401 });
  expect(await around(3_000)).toEqual({ place: 100, count: 101, older: 2_899, newer: 0 });
  const newest = await user.get(`/api/messages?conversationId=${conversationId}&branch=newest`);
  const { messages } = (await newest.json()) as BranchPage;
  expect(messages.map(({ id }) => id)).toEqual([ids[0], ids[3_000]]);
});
