import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { CreatedKey } from '#contract/keys.ts';
import { newId } from '#server/platform/ids.ts';
import { turnOnSecondFactor } from '#test/accounts/second-factor.ts';
import { createMailingApp, type MailingApp } from '#test/mailbox.ts';

let app: MailingApp;
beforeAll(async () => {
  app = await createMailingApp();
});
afterAll(() => app.close());

const PASSWORD = 'correct horse';

async function register() {
  const owner = app.visit();
  const account = await owner.signUp({ password: PASSWORD });
  await owner.patch('/api/me', { language: 'en' });
  return { owner, ...account };
}
const proveMailbox = (userId: string) =>
  app.database.database.sql`update users set email_verified = true where id = ${userId}`;
const proofIsOld = (userId: string) =>
  app.database.database.sql`update sessions set confirmed_at = to_timestamp(0) where user_id = ${userId}`;
const mailsTo = (email: string, template: string) => app.database.database.sql`
  select from mails where to_address = ${email} and template = ${template}`;

describe('an API key', () => {
  it('is made after a fresh proof only, and its owner is told by mail, without the key', async () => {
    const { owner, email, userId } = await register();
    await proveMailbox(userId);
    await proofIsOld(userId);
    const refused = await owner.post('/api/keys', { name: 'Night job' });
    expect(refused.status).toBe(403);
    expect(((await refused.json()) as ErrorBody).error.code).toBe('confirmation_required');
    expect(await app.database.database.sql`select from api_keys where user_id = ${userId}`).toHaveLength(0);
    expect((await owner.post('/api/me/confirm', { password: PASSWORD })).status).toBe(204);
    const made = (await (await owner.post('/api/keys', { name: 'Night job' })).json()) as CreatedKey;
    const [mail] = await app.mailbox.waitFor(email, 1, /^An API key was created$/);
    expect(mail?.text).toContain('Night job');
    expect(mail?.text).toContain(made.prefix);
    expect(mail?.text).not.toContain(made.key.slice(-30));
  });

  it('that is one too many is told to nobody', async () => {
    const { owner, email } = await register();
    for (let n = 0; n < 20; n += 1) await owner.post('/api/keys', { name: `key ${n}` });
    expect((await owner.post('/api/keys', { name: 'one more' })).status).toBe(409);
    expect(await mailsTo(email, 'api_key_created')).toHaveLength(20);
  });
});

describe('an API key that is changed', () => {
  const limits = {
    models: ['parley-flash'],
    monthlyCap: 100,
    allowedAddresses: ['10.0.0.0/8'],
    expiresAt: null,
  };

  it.each([
    ['a higher cap', { monthlyCap: 101 }],
    ['no cap', { monthlyCap: null }],
    ['another model', { models: ['parley-flash', 'parley-pro'] }],
    ['every model', { models: null }],
    ['another network', { allowedAddresses: ['10.0.0.0/8', '192.0.2.0/24'] }],
    ['every network', { allowedAddresses: null }],
  ])('to %s asks for a fresh proof, and its owner is told', async (_, change) => {
    const { owner, email, userId } = await register();
    await proveMailbox(userId);
    const made = (await (
      await owner.post('/api/keys', { name: 'Night job', ...limits })
    ).json()) as CreatedKey;
    await proofIsOld(userId);
    const path = `/api/keys/${made.id}`;
    const refused = await owner.patch(path, change);
    expect(refused.status).toBe(403);
    expect(((await refused.json()) as ErrorBody).error.code).toBe('confirmation_required');
    expect(await mailsTo(email, 'api_key_changed')).toHaveLength(0);
    await owner.post('/api/me/confirm', { password: PASSWORD });
    expect((await owner.patch(path, change)).status).toBe(200);
    const [mail] = await app.mailbox.waitFor(email, 1, /^An API key can do more now$/);
    expect(mail?.text).toContain('Night job');
    expect(mail?.text).toMatch(/\/not-me#token=/);
    expect(mail?.html).toMatch(/class="button" href="[^"]+\/not-me#token=/);
  });

  it('so that it may do less, or to another name, is changed at once and told to nobody', async () => {
    const { owner, email, userId } = await register();
    const made = (await (await owner.post('/api/keys', { name: 'Night job' })).json()) as CreatedKey;
    await proofIsOld(userId);
    for (const change of [
      { ...limits, expiresAt: Date.now() + 86_400_000 },
      { monthlyCap: 50 },
      { name: 'Day job' },
    ])
      expect((await owner.patch(`/api/keys/${made.id}`, change)).status).toBe(200);
    expect((await owner.patch(`/api/keys/${made.id}`, { expiresAt: null })).status).toBe(403);
    expect(await mailsTo(email, 'api_key_changed')).toHaveLength(0);
  });
});

it('whoever opens accounts with an address of another person has 60 notices a day sent to it, and no more', async () => {
  const { sql } = app.database.database;
  const { owner, email, userId } = await register();
  const { id } = (await (await owner.post('/api/keys', { name: 'k', monthlyCap: 1 })).json()) as CreatedKey;
  const raise = (cap: number) => owner.patch(`/api/keys/${id}`, { monthlyCap: cap });
  for (let cap = 2; cap <= 60; cap += 1) expect((await raise(cap)).status).toBe(200);
  for (const refused of [await raise(61), await owner.post('/api/keys', { name: 'another' })])
    expect(((await refused.json()) as ErrorBody).error.code).toBe('rate_limited');
  expect(await mailsTo(email, 'api_key_changed')).toHaveLength(59);
  await owner.post('/api/me/delete', { email });
  const again = app.visit();
  const alias = email.replace('@', '+again@');
  await again.signUp({ email: alias, password: PASSWORD });
  const change = { currentPassword: PASSWORD, newPassword: 'another one' };
  expect((await again.post('/api/me/password', change)).status).toBe(204);
  expect((await again.post('/api/keys', { name: 'k' })).status).toBe(201);
  for (const template of ['password_changed', 'api_key_created'])
    expect(await mailsTo(alias, template)).toHaveLength(0);
  await sql`update users set email_verified = true where email = ${alias}`;
  expect((await again.post('/api/keys', { name: 'k' })).status).toBe(201);
  expect(await mailsTo(alias, 'api_key_created')).toHaveLength(1);
  expect(await sql`select from users where id = ${userId} and deleted_at is not null`).toHaveLength(1);
});

it('a mailbox that nobody has proved is told no name that an account gives its keys', async () => {
  const { owner, email } = await register();
  const name = 'You have won: prize.example';
  const made = (await (await owner.post('/api/keys', { name, monthlyCap: 1 })).json()) as CreatedKey;
  expect((await owner.patch(`/api/keys/${made.id}`, { monthlyCap: 2 })).status).toBe(200);
  for (const subject of [/^An API key was created$/, /^An API key can do more now$/]) {
    const [mail] = await app.mailbox.waitFor(email, 1, subject);
    expect(mail?.text).toContain(made.prefix);
    expect(`${mail?.text}${mail?.html}`).not.toContain('prize.example');
  }
});

it('a passkey that is deleted is told by mail', async () => {
  const { owner, email, userId } = await register();
  await proveMailbox(userId);
  const id = newId();
  await app.database.database.sql`
    insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, synced, created_at)
    values (${id}, ${userId}, ${id}, '\\x00', 0, '{}', 'Old phone', false, now())`;
  expect((await owner.delete(`/api/me/passkeys/${id}`)).status).toBe(204);
  expect((await owner.delete(`/api/me/passkeys/${id}`)).status).toBe(404);
  const [mail] = await app.mailbox.waitFor(email, 1, /^A passkey was deleted$/);
  expect(mail?.text).toContain('Old phone');
});

it('new recovery codes are told by mail, without the codes', async () => {
  const { owner, email } = await register();
  expect((await owner.post('/api/me/second-factor/recovery-codes')).status).toBe(409);
  await turnOnSecondFactor(owner, Date.now());
  const renewed = await owner.post('/api/me/second-factor/recovery-codes');
  const { recoveryCodes } = (await renewed.json()) as { recoveryCodes: string[] };
  const [mail] = await app.mailbox.waitFor(email, 1, /^New recovery codes were made$/);
  for (const code of recoveryCodes) expect(mail?.text).not.toContain(code);
});

it('a first password is told as set, and not as changed', async () => {
  const { owner, email, userId } = await register();
  await app.database.database.sql`
    delete from identities where user_id = ${userId} and provider_id = 'credential'`;
  expect((await owner.post('/api/me/password', { newPassword: 'a first password' })).status).toBe(204);
  const [mail] = await app.mailbox.waitFor(email, 1, /^A password was set$/);
  expect(mail?.text).toContain('all other devices have been logged out');
  expect(await mailsTo(email, 'password_changed')).toHaveLength(0);
});

it('another authenticator is told as such: what worked before works no more', async () => {
  const { owner, email, userId } = await register();
  await turnOnSecondFactor(owner, Date.now());
  await app.database.database.sql`update sessions set confirmed_at = now() where user_id = ${userId}`;
  await turnOnSecondFactor(owner, Date.now());
  const [mail] = await app.mailbox.waitFor(email, 1, /^Your authenticator was changed$/);
  expect(mail?.text).toContain('earlier recovery codes no longer work');
  expect(await mailsTo(email, 'second_factor_on')).toHaveLength(1);
});
