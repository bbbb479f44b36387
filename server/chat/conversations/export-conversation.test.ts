import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Conversation, Message } from '#contract/chat.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask } from '#test/chat/chat.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(async () => {
  await app.close();
});

test('Markdown has the shown branch with times, models and credits', async () => {
  const user = await app.signedIn();
  const root = await ask(user, { content: '潮汐是什么？' });
  const place = { conversationId: root.conversationId, parentId: root.id };
  const first = await ask(user, { ...place, content: 'Why?' });
  const second = await ask(user, { ...place, content: '/emulate http-400' });
  const path = `/api/conversations/${root.conversationId}/export`;
  const headers = { 'accept-language': 'en' };
  const response = await user.request(`${path}?format=md`, { headers });
  const time = (message: Message) =>
    `${new Date(message.timestamp).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  expect(await response.text()).toMatch(
    /^# 潮汐是什么？\n\n\*Exported 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC\*\n/,
  );
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="conversation.md"; filename*=UTF-8''${encodeURIComponent('潮汐是什么？')}.md`,
  );
  const newest = await (await user.request(path, { headers })).text();
  expect(newest).toContain(`## Question\n\n*${time(second)}*\n\n/emulate http-400\n\n## Answer\n\n*`);
  expect(newest).toContain('*gemini-2.5-flash-lite · 0 Credits · Failed · Failed to send the message');
  expect(newest).not.toContain('Why?');
  const through = await (await user.request(`${path}?branch=${first.id}`, { headers })).text();
  expect(through).toContain(
    `## Question\n\n*${time(root)}*\n\n潮汐是什么？\n\n## Answer\n\n*gemini-2.5-flash-lite · 8 Credits*\n\n${root.response.trimEnd()}\n\n## Question\n\n*${time(first)}*\n\nWhy?\n`,
  );
  expect(through).not.toContain('/emulate');
  const chinese = await (await user.request(path, { headers: { 'accept-language': 'zh' } })).text();
  expect(chinese).toContain('## 问题');
});

test('JSON has the whole tree, however long, and all that is known of each message', async () => {
  const user = await app.signedIn();
  const root = await ask(user);
  const { sql } = app.database.database;
  await sql`
    insert into messages (id, user_id, conversation_id, parent_id, model, content, response, status, cost, credits_used,
      owner, end_seq, created_at, ended_at)
    select gen_random_uuid(), ${user.userId}, ${root.conversationId}, ${root.id}, 'parley-flash', 'p' || n, 'yes',
           'completed', 15, 15, gen_random_uuid(), 2, now() + n * interval '1 second', now()
      from generate_series(1, 59) n`;
  const response = await user.get(`/api/conversations/${root.conversationId}/export?format=json`);
  expect(response.headers.get('content-disposition')).toContain('.json');
  const file = (await response.json()) as {
    exportedAt: number;
    conversation: Conversation;
    messages: Message[];
  };
  expect(file.conversation.id).toBe(root.conversationId);
  expect(file.messages.map(({ content }) => content)).toEqual([
    root.content,
    ...Array.from({ length: 59 }, (_, n) => `p${n + 1}`),
  ]);
  const { messages } = (await (
    await user.request(`/api/messages?conversationId=${root.conversationId}&limit=100`)
  ).json()) as { messages: Message[] };
  expect(file.messages).toEqual(messages);
});

test.each([
  ['a/b\\c:d*e?f"g<h>i|j', 'a b c d e f g h i j.md'],
  ['  ..hidden.. ', 'hidden.md'],
  ['???', 'conversation.md'],
  ["it's (a) *star*", "it's (a) star.md"],
  ['😀'.repeat(60), `${'😀'.repeat(40)}.md`],
])('the title %j becomes the file name %j', async (title, name) => {
  const user = await app.signedIn();
  const id = randomUUID();
  const { sql } = app.database.database;
  await sql`insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
            values (${id}, ${user.userId}, ${title}, '', now(), now())`;
  const response = await user.get(`/api/conversations/${id}/export`);
  const header = response.headers.get('content-disposition') ?? '';
  expect(decodeURIComponent(header.split("filename*=UTF-8''")[1] ?? '')).toBe(name);
  expect(header).not.toMatch(/UTF-8''.*['()*\s"]/);
  expect(await response.text()).toContain(`# ${title}`);
});

test('an unknown format or branch is refused', async () => {
  const user = await app.signedIn();
  const { conversationId } = await ask(user);
  const path = `/api/conversations/${conversationId}/export`;
  expect((await user.get(`${path}?format=pdf`)).status).toBe(422);
  expect((await user.get(`${path}?branch=${randomUUID()}`)).status).toBe(404);
});
