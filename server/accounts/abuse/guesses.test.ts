import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { startCaptchaEmulator } from '#test/accounts/captcha-emulator.ts';
import { codeOf, turnOnSecondFactor } from '#test/accounts/second-factor.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { startMailbox } from '#test/mailbox.ts';
import { deleteExpiredAccess } from '../delete-expired-access.ts';

const LINK = /\/sign-in-link#token=([\w-]+)/;
const RESET_LINK = /\/reset-password#token=([\w-]+)/;
const PASSWORD = 'correct horse';
const STEP = 30_000;

const clock = new FakeClock();
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let app: TestApp;
beforeAll(async () => {
  mailbox = await startMailbox();
  app = await createTestApp({ clock, env: { ...mailbox.settings, TRUST_PROXY: '1' } });
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
});

let networks = 0;
/** A browser without cookies in a network of its own. */
function newBrowser(server = app): TestClient {
  networks += 1;
  return server.visit({ headers: { 'x-forwarded-for': `10.${networks >> 8}.${networks & 255}.9` } });
}
const from = (address: string) => app.visit({ headers: { 'x-forwarded-for': address } });
const signIn = (client: TestClient, email: string, password = PASSWORD) =>
  client.post('/api/auth/sign-in/email', { email, password });
const errorOf = async (response: Response) => ((await response.json()) as ErrorBody).error;
const statusesOf = (answers: Response[]) => answers.map(({ status }) => status);
const sql = () => app.database.database.sql;
/** Leaves what `count` guesses of strangers within this hour leave. */
const besiege = (email: string, count = 60) => sql()`
  insert into rate_limits (key, count, started_at) values (${`sign-in:${email}`}, ${count}, ${clock.now()})
  on conflict (key) do update set count = excluded.count, started_at = excluded.started_at`;
/** As if what is counted under such keys had been done `times` more. */
const countOn = (keys: string, times: number) => sql()`
  update rate_limits set count = count + ${times} where key like ${keys}`;
/** Wrong guesses from 6 networks at once: the last of more than 50. */
async function attack(email: string) {
  await besiege(email, 46);
  const guesses = Array.from({ length: 6 }, () => signIn(newBrowser(), email, 'guess'));
  return statusesOf(await Promise.all(guesses)).toSorted((a, b) => a - b);
}

const askForLink = (client: TestClient, body: object) => client.post('/api/auth/request-sign-in-link', body);
const openLink = (client: TestClient, token: string) => client.post('/api/auth/open-sign-in-link', { token });
async function linkOf(email: string, count = 1, link = LINK): Promise<string> {
  const [mail] = await mailbox.waitFor(email, count, link);
  return link.exec(mail?.text ?? '')?.[1] ?? '';
}
const mailsSent = (email: string, template: string) => sql()`
  select from mails where to_address = ${email} and template = ${template}`;

describe('while strangers guess at a password', () => {
  it('the browser of the owner signs in, and strangers are told the way by mail, whatever password they give', async () => {
    const owner = newBrowser();
    const { email } = await owner.signUp({ password: PASSWORD });
    await owner.post('/api/auth/sign-out');
    expect(await attack(email)).toEqual([401, 401, 401, 401, 429, 429]);
    const stranger = newBrowser();
    const answers = [await signIn(stranger, email), await signIn(stranger, email, 'guess')];
    const [right, wrong] = await Promise.all(answers.map(errorOf));
    expect(right).toMatchObject({ code: 'sign_in_limited', params: { seconds: expect.any(Number) } });
    expect({ ...wrong, params: {} }).toEqual({ ...right, params: {} });
    expect(Number(answers[0]?.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await signIn(owner, email)).status).toBe(200);
    expect((await signIn(newBrowser(), email)).status).toBe(429);
  });

  it('an address that nobody has is answered the same', async () => {
    const { email } = await newBrowser().signUp();
    expect(await attack(email)).toEqual(await attack('nobody-at-all@example.test'));
    const one = await errorOf(await signIn(newBrowser(), email));
    const other = await errorOf(await signIn(newBrowser(), 'nobody-at-all@example.test'));
    expect({ ...one, params: {} }).toEqual({ ...other, params: {} });
  });

  it('of their own network the browser of the owner is not kept out', async () => {
    const owner = from('198.51.100.30');
    const { email } = await owner.signUp({ password: PASSWORD });
    await signIn(from('198.51.100.30'), email, 'guess');
    await countOn(`sign-in:${email}:network:%`, 9);
    expect((await signIn(from('198.51.100.30'), email)).status).toBe(429);
    expect((await signIn(owner, email)).status).toBe(200);
    const limited = await createTestApp({
      beside: app,
      clock,
      env: { ...mailbox.settings, TRUST_PROXY: '1', SIGN_IN_LIMIT: '3' },
    });
    const bot = limited.visit({ headers: { 'x-forwarded-for': '198.51.100.31' } });
    for (let n = 0; n < 4; n += 1) await signIn(bot, 'a@example.test', 'guess');
    expect((await signIn(bot, 'a@example.test', 'guess')).status).toBe(429);
    const inside = limited.visit({ cookie: owner.cookie, headers: { 'x-forwarded-for': '198.51.100.31' } });
    expect((await signIn(inside, email)).status).toBe(200);
    await limited.close();
  });

  it('a new browser of the owner gets in by the link of a mail, and the next time without', async () => {
    const { email } = await newBrowser().signUp({ password: PASSWORD });
    await besiege(email);
    const laptop = newBrowser();
    expect((await signIn(laptop, email)).status).toBe(429);
    expect((await askForLink(laptop, { email: ` ${email.toUpperCase()} ` })).status).toBe(200);
    const token = await linkOf(email);
    const opened = await openLink(laptop, token);
    expect(await opened.json()).toEqual({ email });
    expect((await laptop.get('/api/me')).status).toBe(401);
    expect((await signIn(laptop, email, 'mistyped')).status).toBe(401);
    expect((await signIn(laptop, email)).status).toBe(200);
    await laptop.post('/api/auth/sign-out');
    expect((await signIn(laptop, email)).status).toBe(200);
    expect((await signIn(newBrowser(), email)).status).toBe(429);
    expect((await errorOf(await openLink(newBrowser(), token))).code).toBe('sign_in_link_invalid');
  });

  it('a reset of the password lifts what they closed, for every browser', async () => {
    const { email } = await newBrowser().signUp({ password: PASSWORD });
    await besiege(email);
    const sameNetwork = from('198.51.100.40');
    await countOn(`sign-in:${email}:%`, 60);
    expect((await signIn(sameNetwork, email)).status).toBe(429);
    await newBrowser().post('/api/auth/request-password-reset', { email });
    const token = await linkOf(email, 1, RESET_LINK);
    const phone = newBrowser();
    const reset = await phone.post('/api/auth/reset-password', { token, newPassword: 'another password' });
    expect(reset.status).toBe(200);
    expect((await signIn(sameNetwork, email, 'another password')).status).toBe(200);
    await besiege(email);
    expect((await signIn(phone, email, 'another password')).status).toBe(200);
  });
});

describe('a device cookie', () => {
  it('is HttpOnly, of this site, lasts, says nothing of who it is, and is kept as a hash', async () => {
    const browser = newBrowser();
    const account = await browser.signUp({ password: PASSWORD });
    const response = await signIn(browser, account.email);
    const cookie = response.headers.getSetCookie().find((one) => one.startsWith('parley.device='));
    expect(cookie).toMatch(/^parley\.device=[\w.%-]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
    const value = decodeURIComponent(/=([^;]+)/.exec(cookie ?? '')?.[1] ?? '');
    const { sql } = app.database.database;
    const rows = await sql`select * from trusted_browsers where user_id = ${account.userId}`;
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(value.split('.')[0]);
    expect(Buffer.from(value, 'base64url').toString()).not.toContain(account.userId);
  });

  it('is no way in, and forged or of another account it is worth nothing', async () => {
    const owner = newBrowser();
    const { email } = await owner.signUp({ password: PASSWORD });
    const other = newBrowser();
    await other.signUp({ password: PASSWORD });
    await besiege(email);
    const device = /parley\.device=[^;]+/.exec(owner.cookie)?.[0] ?? '';
    expect(device).not.toBe('');
    const bare = app.visit({ cookie: device, headers: { 'x-forwarded-for': '198.51.100.50' } });
    expect((await bare.get('/api/me')).status).toBe(401);
    expect((await signIn(bare, email, 'guess')).status).toBe(401);
    const forged = app.visit({ cookie: device.replace(/..$/, 'AA') });
    for (const client of [forged, other]) expect((await signIn(client, email)).status).toBe(429);
  });

  it('counts the guesses of its own browser, and is trusted no more after ten, until a while has passed', async () => {
    const owner = newBrowser();
    const { email } = await owner.signUp({ password: PASSWORD });
    await besiege(email);
    const guess = async () => (await signIn(owner, email, 'guess')).status;
    expect(await guess()).toBe(401);
    await countOn(`sign-in:${email}:browser:%`, 7);
    expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 429]);
    await askForLink(owner, { email });
    await openLink(owner, await linkOf(email));
    expect((await signIn(owner, email)).status).toBe(200);
    clock.moveTo(clock.now().getTime() + 601_000);
    expect((await signIn(owner, email, 'guess')).status).toBe(401);
  });

  it('of one browser serves every account that signs in there', async () => {
    const browser = newBrowser();
    const one = await browser.signUp({ password: PASSWORD });
    const two = await browser.signUp({ password: PASSWORD });
    await Promise.all([besiege(one.email), besiege(two.email)]);
    for (const { email } of [one, two]) expect((await signIn(browser, email)).status).toBe(200);
  });

  it('from before another password or another address is worth nothing', async () => {
    const intruder = newBrowser();
    const { email, userId } = await intruder.signUp({ password: PASSWORD });
    const owner = newBrowser();
    await signIn(owner, email);
    const change = { currentPassword: PASSWORD, newPassword: 'another password' };
    expect((await owner.post('/api/me/password', change)).status).toBe(204);
    await besiege(email);
    expect((await signIn(intruder, email, 'guess')).status).toBe(429);
    expect((await signIn(owner, email, 'another password')).status).toBe(200);
    const { sql } = app.database.database;
    await sql`update users set email = ${`other-${email}`} where id = ${userId}`;
    expect(await sql`select from trusted_browsers where user_id = ${userId}`).toHaveLength(0);
  });

  it('is remembered for twenty browsers of an account, and until its cookie is over', async () => {
    const { email, userId } = await newBrowser().signUp({ password: PASSWORD });
    const { sql } = app.database.database;
    await sql`
      insert into trusted_browsers (user_id, hash, signed_in, used_at)
      select ${userId}, 'browser ' || n, true, ${clock.now()}::timestamptz - n * interval '1 day' from generate_series(1, 25) n`;
    await signIn(newBrowser(), email);
    const hashes = () => sql<{ hash: string }[]>`
      select hash from trusted_browsers where user_id = ${userId} and hash like 'browser %' order by used_at desc`;
    expect((await hashes()).map(({ hash }) => hash)).toEqual(
      Array.from({ length: 18 }, (_, n) => `browser ${n + 1}`),
    );
    await sql`update trusted_browsers set used_at = ${clock.now()}::timestamptz - interval '401 days' where hash = 'browser 1'`;
    await deleteExpiredAccess(app.deps);
    expect(await hashes()).toHaveLength(17);
  });
});

describe('the mail with the link', () => {
  it('goes out once in a quarter of an hour, and again once its link was used', async () => {
    const { email } = await newBrowser().signUp({ password: PASSWORD });
    for (let n = 0; n < 5; n += 1) expect((await askForLink(newBrowser(), { email })).status).toBe(200);
    expect(await mailsSent(email, 'sign_in_link')).toHaveLength(1);
    await openLink(newBrowser(), await linkOf(email));
    await askForLink(newBrowser(), { email });
    expect(await mailsSent(email, 'sign_in_link')).toHaveLength(2);
    clock.moveTo(clock.now().getTime() + 901_000);
    await askForLink(newBrowser(), { email });
    expect(await mailsSent(email, 'sign_in_link')).toHaveLength(3);
  });

  it('is answered the same for an address that nobody has, and is not sent', async () => {
    const nobody = 'nobody-here@example.test';
    const { email } = await newBrowser().signUp();
    const [one, other] = [
      await askForLink(newBrowser(), { email: nobody }),
      await askForLink(newBrowser(), { email }),
    ];
    expect([other.status, await other.text()]).toEqual([one.status, await one.text()]);
    await linkOf(email);
    expect(await mailbox.list(nobody)).toEqual([]);
  });

  it('is good for an hour, for the address it was sent to, and does not verify that address', async () => {
    const { email, userId } = await newBrowser().signUp();
    await askForLink(newBrowser(), { email });
    const token = await linkOf(email);
    expect(await sql()`select from verifications where identifier like ${`%${token}%`}`).toHaveLength(0);
    clock.moveTo(clock.now().getTime() + 3_601_000);
    expect((await errorOf(await openLink(newBrowser(), token))).code).toBe('sign_in_link_invalid');
    await askForLink(newBrowser(), { email });
    const next = await linkOf(email, 2);
    await sql()`update users set email = ${`moved-${email}`} where id = ${userId}`;
    expect((await errorOf(await openLink(newBrowser(), next))).code).toBe('sign_in_link_invalid');
    const [user] = await sql()`select email_verified as verified from users where id = ${userId}`;
    expect(user).toEqual({ verified: false });
  });

  it('is bounded for a network, and refuses what is no address', async () => {
    const bot = from('198.51.100.60');
    const statuses = [];
    for (let n = 0; n < 22; n += 1)
      statuses.push((await askForLink(bot, { email: `n${n}@example.test` })).status);
    expect(statuses).toEqual([...new Array(20).fill(200), 429, 429]);
    expect((await errorOf(await askForLink(newBrowser(), { email: 'no address' }))).code).toBe(
      'email_invalid',
    );
    expect((await errorOf(await askForLink(newBrowser(), {}))).code).toBe('second_step_over');
  });
});

describe('where no mail is sent', () => {
  it('a captcha is the way on, and without one there is only the wait', async () => {
    const captcha = await startCaptchaEmulator();
    const bare = { TRUST_PROXY: '1' };
    const plain = await createTestApp({ beside: app, clock, env: bare });
    const asking = await createTestApp({ beside: app, clock, env: { ...bare, ...captcha.settings } });
    const { email } = await newBrowser().signUp({ password: PASSWORD });
    await besiege(email);
    expect((await errorOf(await signIn(newBrowser(plain), email))).code).toBe('rate_limited');
    expect((await errorOf(await signIn(newBrowser(asking), email))).code).toBe('captcha_required');
    const solved = asking.visit({
      headers: { 'x-forwarded-for': '198.51.100.70', 'x-captcha-token': captcha.solve() },
    });
    expect((await signIn(solved, email)).status).toBe(200);
    await plain.close();
    await asking.close();
    await captcha.close();
  });
});

describe('while somebody who knows the password guesses at codes', () => {
  const finish = (client: TestClient, code: string) => client.post('/api/auth/second-factor', { code });
  async function guessCode(email: string) {
    const bot = newBrowser();
    await signIn(bot, email);
    return (await finish(bot, '000000')).status;
  }
  /** Uses up what strangers have in a quarter of an hour. */
  async function guessCodes({ email, userId }: { email: string; userId: string }) {
    expect(await guessCode(email)).toBe(422);
    await countOn(`code:${userId}:strangers%`, 8);
    expect([await guessCode(email), await guessCode(email)]).toEqual([422, 429]);
  }
  async function enrolled() {
    const owner = newBrowser();
    const account = await owner.signUp({ password: PASSWORD });
    await sql()`update users set email_verified = true where id = ${account.userId}`;
    const factor = await turnOnSecondFactor(owner, clock.now().getTime());
    const nextCode = () => {
      clock.moveTo(clock.now().getTime() + STEP);
      return codeOf(factor.secret, clock.now().getTime());
    };
    return { owner, ...account, nextCode };
  }

  it('the browser of the owner signs in and confirms, and a new one does by the link of a mail', async () => {
    const { owner, email, userId, nextCode } = await enrolled();
    await guessCodes({ email, userId });
    expect((await owner.post('/api/me/confirm', { code: nextCode() })).status).toBe(204);
    await signIn(owner, email);
    expect((await finish(owner, nextCode())).status).toBe(200);
    const tablet = newBrowser();
    await signIn(tablet, email);
    expect((await errorOf(await finish(tablet, nextCode()))).code).toBe('sign_in_limited');
    expect((await askForLink(tablet, {})).status).toBe(200);
    expect((await openLink(tablet, await linkOf(email))).status).toBe(200);
    expect((await finish(tablet, nextCode())).status).toBe(200);
  });

  it('links of mails allow no more codes than one count has, however many are opened', async () => {
    const { email, userId } = await enrolled();
    const guessByLink = async (count: number) => {
      await askForLink(newBrowser(), { email });
      const browser = newBrowser();
      await openLink(browser, await linkOf(email, count));
      await signIn(browser, email);
      return (await finish(browser, '000000')).status;
    };
    expect(await guessByLink(1)).toBe(422);
    await countOn(`code:${userId}:mailed`, 8);
    expect([await guessByLink(2), await guessByLink(3)]).toEqual([422, 429]);
    await countOn(`code:${userId}:mailed:day`, 47);
    clock.moveTo(clock.now().getTime() + 901_000);
    expect(await guessByLink(4)).toBe(429);
  });

  it('a reset lifts what they closed, once a day', async () => {
    const { email, userId, nextCode } = await enrolled();
    const reset = async (count: number) => {
      await newBrowser().post('/api/auth/request-password-reset', { email });
      const token = await linkOf(email, count, RESET_LINK);
      await newBrowser().post('/api/auth/reset-password', { token, newPassword: PASSWORD });
    };
    await guessCodes({ email, userId });
    await reset(1);
    const client = newBrowser();
    await signIn(client, email);
    expect((await finish(client, nextCode())).status).toBe(200);
    await guessCodes({ email, userId });
    await reset(2);
    expect(await guessCode(email)).toBe(429);
  });
});

describe('while strangers ask for reset mails', () => {
  it('the owner is answered the same and has a link that works', async () => {
    const { email } = await newBrowser().signUp({ password: PASSWORD });
    for (let n = 0; n < 6; n += 1) {
      const asked = await newBrowser().post('/api/auth/request-password-reset', { email });
      expect([asked.status, await asked.json()]).toEqual([200, { status: true }]);
    }
    expect(await mailsSent(email, 'password_reset')).toHaveLength(3);
    const token = await linkOf(email, 3, RESET_LINK);
    const reset = await newBrowser().post('/api/auth/reset-password', { token, newPassword: 'another one' });
    expect(reset.status).toBe(200);
    await newBrowser().post('/api/auth/request-password-reset', { email });
    expect(await mailsSent(email, 'password_reset')).toHaveLength(4);
  });
});

it('a signed-in browser confirms its password while strangers guess at it', async () => {
  const owner = newBrowser();
  const { email } = await owner.signUp({ password: PASSWORD });
  await besiege(email);
  expect((await owner.post('/api/me/confirm', { password: PASSWORD })).status).toBe(204);
  const guess = async () => (await owner.post('/api/me/confirm', { password: 'guess' })).status;
  expect(await guess()).toBe(401);
  await countOn('password:%', 8);
  expect([await guess(), await guess()]).toEqual([401, 429]);
});
