import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask } from '#test/chat/chat.ts';
import { beginUpload, idOf, insertFile, sendPiece, someBytes } from '#test/files/files.ts';

let app: TestApp;
const copies = new Set(['p files/x']);
beforeAll(async () => {
  app = await createTestApp({
    fileJobs: { deleteCopy: async ({ project, name }) => void copies.delete(`${project} ${name}`) },
  });
});
afterAll(() => app.close());

it('a deleted account leaves no byte of its files, here and at a provider, and others keep theirs', async () => {
  const { sql } = app.database.database;
  const client = app.visit();
  const { userId, email } = await client.signUp();
  const other = await app.signedIn();
  const kept = await insertFile(sql, other.userId);
  const { conversationId } = await ask(client);
  const named = await insertFile(sql, userId, { conversationId });
  for (let n = 0; n < 22; n += 1) await insertFile(sql, userId);
  const unfinished = await idOf(await beginUpload(client, 100));
  await sendPiece(client, unfinished, 0, someBytes(50));
  await sql`insert into file_copies (file_id, project, name, uri, expires_at) values (${named}, 'p', 'files/x', 'x', now())`;
  const deleted = await client.post('/api/me/delete', { email });
  expect(await deleted.json()).toEqual({ state: 'deleted' });
  expect([...(await sql`select id from files`)]).toEqual([{ id: kept }]);
  expect([...(await sql`select distinct file_id as id from file_chunks`)]).toEqual([{ id: kept }]);
  expect(await sql`select from file_copies`).toHaveLength(0);
  await expect.poll(() => copies.size).toBe(0);
  await expect.poll(async () => (await sql`select from file_removals`).length).toBe(0);
});
