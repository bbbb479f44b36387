import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerPage } from '#contract/credits.ts';
import type { ConfirmedEmail, EmailState } from '#contract/email.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { openEvents } from '#test/events.ts';
import { startMailbox } from '#test/mailbox.ts';
import { IS_LONG } from '#test/runs.ts';

let app: TestApp;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
beforeAll(async () => {
  mailbox = await startMailbox();
  app = await createTestApp({ env: { ...mailbox.settings, TRUST_PROXY: '1' } });
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
});

const PASSWORD = 'the old password';
const VERIFY = /\/verify-email#token=([\w-]+)/;
const CONFIRM = /\/confirm-email#token=([\w-]+)/;
const STOP = /\/confirm-email#stop=([\w-]+)/;
let count = 0;
const freshEmail = () => {
  count += 1;
  return `email-${count}@example.test`;
};

/** A user with a password, signed in by the product's own door, from a network of its own. */
async function register(language = 'en') {
  const email = freshEmail();
  const network = `203.0.${count}.1`;
  const user = app.visit({
    cookie: `lang=${language}`,
    headers: { 'x-forwarded-for': network, 'user-agent': 'Firefox/140 (Windows)' },
  });
  const { userId } = await user.signUp({ email, password: PASSWORD });
  return { email, network, user, userId };
}

async function linkOf(email: string, link: RegExp, times = 1): Promise<string> {
  const [mail] = await mailbox.waitFor(email, times, link);
  return link.exec(mail?.text ?? '')?.[1] ?? '';
}

const state = async (user: TestClient) => (await (await user.get('/api/me/email')).json()) as EmailState;
const verify = (token: string, by: TestClient) => by.post('/api/auth/verify-email', { token });
const confirm = (token: string, by: TestClient = app.visit()) =>
  by.post('/api/auth/confirm-email-change', { token });
const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;

/** Asks for a change and returns the links of both mails. */
async function askForChange(user: TestClient, email: string, newEmail: string) {
  const old = (await mailbox.list(email, STOP)).length;
  expect((await user.post('/api/me/email', { email: newEmail })).status).toBe(202);
  const [mail] = await mailbox.waitFor(email, old + 1, STOP);
  const part = (link: RegExp) => link.exec(mail?.text ?? '')?.[1] ?? '';
  return { old: part(CONFIRM), stop: part(STOP), new: await linkOf(newEmail, CONFIRM) };
}

describe('verification', () => {
  it('a sign-up with a password brings a link that verifies the address', async () => {
    const { email, user } = await register();
    expect(await state(user)).toEqual({
      email,
      verified: false,
      mail: true,
      change: null,
    });
    const response = await verify(await linkOf(email, VERIFY), user);
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 200,
      body: { email },
    });
    expect((await state(user)).verified).toBe(true);
  });

  it('of 50 parallel uses of one link one succeeds, and the others hear that it is done (CVE-2026-53517, GHSA-392p-2q2v-4372)', async () => {
    const { email, user } = await register();
    const token = await linkOf(email, VERIFY);
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(token, user)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const codes = await Promise.all(answers.filter(({ status }) => status !== 200).map(codeOf));
    expect(new Set(codes)).toEqual(new Set(['email_already_verified']));
  });

  it('a link is good for 24 hours, and the table does not hold it', async () => {
    const { email, user, userId } = await register();
    const token = await linkOf(email, VERIFY);
    const { sql } = app.database.database;
    const [row] = await sql<{ held: number; hours: number }[]>`
      select count(*) filter (where position(${token} in identifier) > 0)::int as held,
             round(extract(epoch from max(expires_at) - now()) / 3600)::int as hours
        from verifications where starts_with(value, ${userId})`;
    expect(row).toEqual({ held: 0, hours: 24 });
    await sql`update verifications set expires_at = now() - interval '1 second' where starts_with(value, ${userId})`;
    expect(await codeOf(await verify(token, user))).toBe('email_link_invalid');
    expect((await state(user)).verified).toBe(false);
  });

  it('the mail is sent again three times in a quarter of an hour, and not once the address is verified', async () => {
    const { email, user } = await register();
    const statuses: number[] = [];
    for (let left = 4; left > 0; left -= 1)
      statuses.push((await user.post('/api/me/email/verification')).status);
    expect(statuses).toEqual([204, 204, 204, 429]);
    expect((await verify(await linkOf(email, VERIFY, 4), user)).status).toBe(200);
    expect(await codeOf(await user.post('/api/me/email/verification'))).toBe('email_already_verified');
  });
});

describe('new sign-ins', () => {
  const signIn = (email: string, network: string, userAgent: string) =>
    app
      .visit({ headers: { 'x-forwarded-for': network, 'user-agent': userAgent } })
      .post('/api/auth/sign-in/email', { email, password: PASSWORD });

  it('the first place is no news, a new browser or network is, once', async () => {
    const { email, network } = await register();
    const firefox = 'Firefox/140 (Windows)';
    const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/605.1';
    expect((await signIn(email, network, 'Firefox/141 (Windows)')).status).toBe(200);
    await signIn(email, network, safari);
    await signIn(email, network, safari);
    await signIn(email, '198.51.100.7', firefox);
    const mails = await mailbox.waitFor(email, 2, /New login/);
    expect(mails.some(({ text }) => text.includes('Safari · iPhone') && text.includes(network))).toBe(true);
    expect(
      mails.some(({ text }) => text.includes('Firefox · Windows') && text.includes('198.51.100.7')),
    ).toBe(true);
    expect(mails[0]?.text).toMatch(/\d{4}, \d\d:\d\d UTC/);
    expect(mails[0]?.text).toContain('/profile/devices#sessions');
  });

  it('of 5 parallel sign-ins from one new place one is told', async () => {
    const { email } = await register();
    await Promise.all(Array.from({ length: 5 }, () => signIn(email, '198.51.100.9', 'Chrome/140 Android')));
    await mailbox.waitFor(email, 1, /New login/);
    const { sql } = app.database.database;
    const rows = await sql`select id from mails where template = 'new_sign_in' and to_address = ${email}`;
    expect(rows).toHaveLength(1);
  });
});

describe('a change of address', () => {
  it('happens when both sides have confirmed: other browsers are signed out and both addresses are told', async () => {
    const { email, user, userId } = await register();
    const other = app.visit();
    await other.post('/api/auth/sign-in/email', { email, password: PASSWORD });
    await app.visit().post('/api/auth/request-password-reset', { email });
    const reset = await linkOf(email, /\/reset-password#token=([\w-]+)/);
    const newEmail = freshEmail();
    const links = await askForChange(user, email, newEmail);
    expect((await state(user)).change).toMatchObject({
      email: newEmail,
      oldConfirmed: false,
      newConfirmed: false,
    });

    expect((await (await confirm(links.new, user)).json()) as ConfirmedEmail).toEqual({
      changed: false,
      email: newEmail,
    });
    expect(await state(user)).toMatchObject({ email, change: { newConfirmed: true, oldConfirmed: false } });
    const changed = await confirm(links.old, user);
    expect(changed.headers.getSetCookie().join()).toMatch(/device=/);
    expect(await changed.json()).toEqual({ changed: true, email: newEmail });

    expect(await state(user)).toEqual({
      email: newEmail,
      verified: true,
      mail: true,
      change: null,
    });
    expect(await (await user.get('/api/me')).json()).toMatchObject({ uid: userId, email: newEmail });
    expect((await other.get('/api/me')).status).toBe(401);
    const stale = await app
      .visit()
      .post('/api/auth/reset-password', { token: reset, newPassword: 'another one' });
    expect(await codeOf(stale)).toBe('reset_link_invalid');
    for (const address of [email, newEmail])
      expect((await mailbox.waitFor(address, 1, /was changed/))[0]?.text).toContain(newEmail);
    const signIn = (address: string) =>
      app.visit().post('/api/auth/sign-in/email', { email: address, password: PASSWORD });
    expect((await signIn(email)).status).toBe(401);
    expect((await signIn(newEmail)).status).toBe(200);
  });

  it('of 50 parallel uses of each link one succeeds, and the address changes once', async () => {
    const { email, user, userId } = await register();
    const newEmail = freshEmail();
    const links = await askForChange(user, email, newEmail);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => [confirm(links.old), confirm(links.new, user)]).flat(),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    const bodies = await Promise.all(
      answers.filter(({ status }) => status === 200).map((each) => each.json()),
    );
    expect(bodies.filter((body) => (body as ConfirmedEmail).changed)).toHaveLength(1);
    const { sql } = app.database.database;
    expect(await sql`select email from users where id = ${userId}`).toEqual([{ email: newEmail }]);
    expect(
      await sql`select id from mails where template = 'email_changed' and to_address = ${newEmail}`,
    ).toHaveLength(1);
  });

  it('one link alone never changes it, however often it is opened', async () => {
    const { email, user } = await register();
    const links = await askForChange(user, email, freshEmail());
    expect((await confirm(links.old)).status).toBe(200);
    expect(await codeOf(await confirm(links.old))).toBe('email_link_invalid');
    expect((await state(user)).email).toBe(email);
  });

  it('“this was not me” voids it, also after the other side has confirmed', async () => {
    const { email, user } = await register();
    const links = await askForChange(user, email, freshEmail());
    await confirm(links.new, user);
    expect((await app.visit().post('/api/auth/stop-email-change', { token: links.stop })).status).toBe(204);
    expect(await codeOf(await confirm(links.old))).toBe('email_link_invalid');
    expect(await state(user)).toMatchObject({ email, change: null });
    const again = await app.visit().post('/api/auth/stop-email-change', { token: links.stop });
    expect(await codeOf(again)).toBe('email_link_invalid');
  });

  it('of 50 parallel uses of the link that stops it one succeeds', async () => {
    const { email, user } = await register();
    const { stop } = await askForChange(user, email, freshEmail());
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => app.visit().post('/api/auth/stop-email-change', { token: stop })),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(49);
  });

  it.runIf(IS_LONG)('confirmed and stopped at the same moment, it happens or it does not', async () => {
    for (let rounds = 5; rounds > 0; rounds -= 1) {
      const { email, user } = await register();
      const newEmail = freshEmail();
      const links = await askForChange(user, email, newEmail);
      await confirm(links.new, user);
      const [confirmed, stopped] = await Promise.all([
        confirm(links.old),
        app.visit().post('/api/auth/stop-email-change', { token: links.stop }),
      ]);
      expect([confirmed.status, stopped.status].sort()).toEqual([confirmed.ok ? 200 : 204, 422]);
      const { sql } = app.database.database;
      const rows = await sql`select email from users where email in (${email}, ${newEmail})`;
      expect(rows).toEqual([{ email: confirmed.ok ? newEmail : email }]);
    }
  });

  it('a new request replaces the old one, and whoever asked can take it back', async () => {
    const { email, user } = await register();
    const first = await askForChange(user, email, freshEmail());
    const second = await askForChange(user, email, freshEmail());
    expect(await codeOf(await confirm(first.old))).toBe('email_link_invalid');
    expect((await user.delete('/api/me/email/change')).status).toBe(204);
    expect(await codeOf(await confirm(second.old))).toBe('email_link_invalid');
    expect((await state(user)).change).toBeNull();
  });

  it('ends after 24 hours', async () => {
    const { email, user, userId } = await register();
    const links = await askForChange(user, email, freshEmail());
    const { sql } = app.database.database;
    await sql`update email_changes set expires_at = now() - interval '1 second' where user_id = ${userId}`;
    expect(await codeOf(await confirm(links.old))).toBe('email_link_invalid');
    expect((await state(user)).change).toBeNull();
  });

  it('an address that somebody has is answered the same; its owner is told, and gets no link', async () => {
    const owner = await register();
    const { email, user } = await register();
    const answers = await Promise.all(
      [owner.email, freshEmail()].map(async (address) => {
        const response = await user.post('/api/me/email', { email: address });
        const body = (await response.json()) as EmailState;
        return { status: response.status, ...body, change: { ...body.change, email: '', expiresAt: 0 } };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    await user.post('/api/me/email', { email: owner.email });
    const [mail] = await mailbox.waitFor(owner.email, 1, /Someone tried/);
    expect(mail?.text).not.toMatch(/confirm-email/);
    expect((await state(user)).email).toBe(email);
  });

  it('an address that somebody took meanwhile is told, and nothing changes', async () => {
    const { email, user } = await register();
    const newEmail = freshEmail();
    const links = await askForChange(user, email, newEmail);
    await confirm(links.new, user);
    await app.visit().signUp({ email: newEmail });
    expect(await codeOf(await confirm(links.old))).toBe('email_taken');
    expect((await state(user)).email).toBe(email);
  });

  it('is asked for with a fresh proof only', async () => {
    const { user, userId } = await register();
    const { sql } = app.database.database;
    await sql`update sessions set confirmed_at = now() - interval '11 minutes' where user_id = ${userId}`;
    expect(await codeOf(await user.post('/api/me/email', { email: freshEmail() }))).toBe(
      'confirmation_required',
    );
    expect((await state(user)).change).toBeNull();
  });

  it.each([
    ['nobody', 'email_invalid'],
    ['', 'email_invalid'],
  ])('%j is refused with a code', async (address, code) => {
    const { user } = await register();
    expect(await codeOf(await user.post('/api/me/email', { email: address }))).toBe(code);
  });

  it('to the same address is refused', async () => {
    const { email, user } = await register();
    expect(await codeOf(await user.post('/api/me/email', { email: email.toUpperCase() }))).toBe('email_same');
  });

  it('CVE-2026-44342: another site’s page cannot begin one with the cookie of its visitor', async () => {
    const { user } = await register();
    const forged = (headers: Record<string, string>, body: string) =>
      user.request('/api/me/email', { method: 'POST', headers, body });
    const json = JSON.stringify({ email: 'attacker@example.test' });
    const tries = [
      forged({ origin: 'https://evil.example', 'content-type': 'application/json' }, json),
      forged({ origin: 'null', 'content-type': 'application/json' }, json),
      forged({ 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' }, json),
      forged({ origin: app.url, 'content-type': 'text/plain' }, json),
    ];
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([403, 403, 403, 415]);
    expect((await user.get(`/api/me/email?email=attacker@example.test`)).status).toBe(200);
    expect((await state(user)).change).toBeNull();
  });
});

describe('where verified addresses are asked for', () => {
  let strict: TestApp;
  beforeAll(async () => {
    strict = await createTestApp({ env: { ...mailbox.settings, VERIFIED_EMAIL_REQUIRED: 'true' } });
  });
  afterAll(() => strict.close());
  const credits = async (user: TestClient) =>
    ((await (await user.get('/api/me')).json()) as { credits: number }).credits;

  const withheld = async (user: TestClient) =>
    ((await (await user.get('/api/credits/entries')).json()) as LedgerPage).freeWithheld;

  it('the credits of a password sign-up come with the verification, once, and open tabs are told', async () => {
    const email = freshEmail();
    const user = strict.visit({ cookie: 'lang=en' });
    await user.signUp({ email, password: PASSWORD });
    expect(await credits(user)).toBe(0);
    expect(await state(user)).toMatchObject({ verified: false });
    expect(await withheld(user)).toBe('unverified');
    const live = await openEvents(user, '/api/live');
    const token = await linkOf(email, VERIFY);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => user.post('/api/auth/verify-email', { token })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await live.next(({ event, data }) => event === 'credits' && data.credits === 40);
    live.close();
    expect(await credits(user)).toBe(40);
    expect(await state(user)).toMatchObject({ verified: true });
    expect(await withheld(user)).toBeUndefined();
  });

  it('a password reset by mail verifies too', async () => {
    const email = freshEmail();
    await strict.visit().signUp({ email, password: PASSWORD });
    await strict.visit().post('/api/auth/request-password-reset', { email });
    const token = await linkOf(email, /\/reset-password#token=([\w-]+)/);
    const answer = await strict.visit().post('/api/auth/reset-password', { token, newPassword: PASSWORD });
    expect(answer.status).toBe(200);
    const user = strict.visit();
    await user.post('/api/auth/sign-in/email', { email, password: PASSWORD });
    expect(await credits(user)).toBe(40);
  });
});

it('without a mail server both requests say which setting is missing', async () => {
  const plain = await createTestApp();
  const user = await plain.signedIn();
  expect((await state(user)).mail).toBe(false);
  for (const response of [
    await user.post('/api/me/email', { email: 'a@example.test' }),
    await user.post('/api/me/email/verification'),
  ])
    expect(await codeOf(response)).toBe('not_configured');
  await plain.close();
});
