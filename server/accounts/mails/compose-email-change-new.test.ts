import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { insertUser } from '#test/factories.ts';
import { composeAccountMail } from './compose-account-mail.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Has another user ask for `to`, and gives what composes the mail to it at one of its tries. */
async function askFor(to: string, isProved = false) {
  const { sql } = app.database.database;
  const { userId } = await insertUser(sql, { email: `${newId()}@example.test` });
  await sql`update users set email_verified = ${isProved} where id = ${userId}`;
  const changeId = newId();
  await sql`
    insert into email_changes (id, user_id, new_email, expires_at)
    values (${changeId}, ${userId}, ${to}, now() + interval '1 day')`;
  const template = 'email_change_new';
  const mail = { key: newId(), template, to, language: 'en' as const, params: { changeId } };
  return async (tries: number) => {
    const content = await composeAccountMail(app.deps)[template]?.({ ...mail, tries });
    return content?.action?.url ?? null;
  };
}

it('the link to a new address goes out however often the mail server refused it', async () => {
  const compose = await askFor('often@example.test');
  for (let tries = 1; tries <= 9; tries += 1) expect(await compose(tries)).toContain('/confirm-email#token=');
});

it('one address gets three mails about changes in a quarter of an hour, whoever asks', async () => {
  const links: (string | null)[] = [];
  for (let asked = 1; asked <= 5; asked += 1) links.push(await (await askFor('mine@example.test'))(1));
  expect(links.map((link) => link !== null)).toEqual([true, true, true, false, false]);
});

it('one mailbox gets six of them a day by accounts that anyone opens, however it is spelled', async () => {
  const isSent = async (tag: number, isProved = false) =>
    (await (await askFor(`flooded+${tag}@example.test`, isProved))(1)) !== null;
  const sent: boolean[] = [];
  for (let tag = 1; tag <= 8; tag += 1) sent.push(await isSent(tag));
  expect(sent).toEqual([true, true, true, true, true, true, false, false]);
  expect(await isSent(9, true)).toBe(true);
});
