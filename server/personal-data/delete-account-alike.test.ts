import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMailingApp, type MailingApp } from '#test/mailbox.ts';
import { IS_LONG } from '#test/runs.ts';

let app: MailingApp;
beforeAll(async () => {
  app = await createMailingApp();
});
afterAll(() => app.close());

async function signUp(email = `${randomUUID()}@example.test`) {
  const client = app.visit();
  const { userId } = await client.signUp({ email, password: 'a correct horse' });
  return { client, userId, email, leave: () => client.post('/api/me/delete', { email }) };
}

const read = async (response: Promise<Response>) => (await response).json();

describe('deleting an account whose address is like that of somebody else', () => {
  it.runIf(IS_LONG)(
    'takes no count, link or mail from whoever has an address that ends like the one that goes, or that it asked for',
    async () => {
      const leaver = await signUp();
      const owner = await signUp(`own-${leaver.email}`);
      const wanted = `new-${leaver.email}`;
      await app.visit().post('/api/auth/sign-in/email', { email: owner.email, password: 'a guess' });
      await owner.client.post('/api/me/email', { email: wanted });
      await app.mailbox.waitFor(wanted, 1);
      await leaver.client.post('/api/me/email', { email: owner.email });
      await app.mailbox.waitFor(owner.email, 3);
      const [asked] = await app.deps.database
        .sql`select id from email_changes where user_id = ${leaver.userId}`;
      const kept = () => app.deps.database.sql`
      select key from rate_limits where strpos(key, ${owner.email}) > 0
      union all select identifier from verifications where strpos(value, ${wanted}) > 0
      union all select key from mails
                 where to_address in (${owner.email}, ${wanted}) and key <> ${`email_change_new:${asked?.id}`}
      order by 1`;
      const before = await kept();
      expect(before).toHaveLength(7);
      expect(await read(leaver.leave())).toEqual({ state: 'deleted' });
      expect(await kept()).toEqual(before);
    },
  );

  it('leaves the link of somebody else’s change to the same address good', async () => {
    const { client, email } = await signUp();
    const wanted = `new-${email}`;
    await client.post('/api/me/email', { email: wanted });
    const [mail] = await app.mailbox.waitFor(wanted, 1);
    const squatter = await signUp(wanted);
    expect(await read(squatter.leave())).toEqual({ state: 'deleted' });
    const token = /#token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
    expect((await client.post('/api/auth/confirm-email-change', { token })).status).toBe(200);
  });
});

describe('deleting an account that had another address before', () => {
  const LINK = /\/confirm-email#token=([\w-]+)/;
  const mailsTo = (addresses: string[]) => app.deps.database.sql`
    select template, to_address as "to" from mails where to_address = any (${addresses}) order by template`;

  it.runIf(IS_LONG)(
    'leaves no mail to that one, nor to one that it only asked for, and those to whoever has it since',
    async () => {
      const { client, email: former } = await signUp();
      const [asked, later] = [`asked-${former}`, `later-${former}`];
      const ask = (email: string) => client.post('/api/me/email', { email });
      const confirm = async (to: string, times: number) => {
        const [mail] = await app.mailbox.waitFor(to, times, LINK);
        const token = LINK.exec(mail?.text ?? '')?.[1];
        expect((await client.post('/api/auth/confirm-email-change', { token })).status).toBe(200);
      };
      await ask(asked);
      await app.mailbox.waitFor(asked, 1);
      expect((await client.delete('/api/me/email/change')).status).toBe(204);
      await ask(later);
      await confirm(later, 1);
      await confirm(former, 2);
      const newcomer = await signUp(former);
      await newcomer.client.post('/api/keys', { name: 'one' });
      const addresses = [former, asked, later];
      expect((await mailsTo(addresses)).length).toBeGreaterThan(5);
      expect(await read(client.post('/api/me/delete', { email: later }))).toEqual({ state: 'deleted' });
      expect([...(await mailsTo(addresses))]).toEqual([
        { template: 'account_deleted', to: later },
        { template: 'api_key_created', to: former },
        { template: 'verify_email', to: former },
      ]);
    },
  );
});
