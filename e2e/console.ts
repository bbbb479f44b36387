import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from '@playwright/test';
import type { Sql } from 'postgres';
import type { Enrolment } from '#contract/accounts/second-factor.ts';
import type { Language } from '#contract/choices.ts';
import { codeOf } from '#test/accounts/second-factor.ts';
import { onRunningDatabase } from '#test/database/on-running-database.ts';
import { e2eFolder } from '#test/e2e-folder.ts';
import { readMail } from './mailbox.ts';
import { LOCALE } from './texts.ts';
import { expect, Visitor } from './visitor.ts';

/** A product that operators are at: where its rows and its mails are, and what time it is there. */
export interface Place {
  dataDir: string;
  mailbox?: string;
  now(): Promise<number>;
}

/** The product of the journeys. */
const ours = (): Place => ({ dataDir: join(e2eFolder(), 'data'), now: async () => Date.now() });

/** Somebody else, at a browser of their own; its context is to be closed. */
export async function another(browser: Browser, language: Language): Promise<Visitor> {
  const context = await browser.newContext({ locale: LOCALE[language] });
  return new Visitor(await context.newPage(), language);
}

/** Opens an account that may use the console once two-step verification is on. */
export async function becomeOperator(me: Visitor, place = ours()): Promise<void> {
  await me.openAccount();
  const mail = await readMail(me.email, me.say('mail.verifyEmail.subject'), place.mailbox);
  const link = mail.link(/\/verify-email#token=/).replace('#', `?lang=${me.language}#`);
  await me.page.goto(link);
  await expect(me.page.getByText(me.say('verify.done', { email: me.email }))).toBeVisible();
  await runAdmin(['make-operator', me.email, '--reason', 'on call'], place);
}

/** The operator's command line on the database of a product. */
export async function runAdmin(command: readonly string[], { dataDir } = ours()): Promise<void> {
  const env = { ...process.env, DATA_DIR: dataDir };
  await promisify(execFile)(process.execPath, ['scripts/admin.ts', ...command], { env });
}

/** Runs statements on the database of a product. */
export function onDatabase<T>(use: (sql: Sql) => Promise<T>, { dataDir } = ours()): Promise<T> {
  return onRunningDatabase(dataDir, use);
}

/** Turns two-step verification on without its pages; returns its secret. */
async function turnOnSecondFactor(page: Page, { now }: Place): Promise<string> {
  const enrolment = await page.request.post('/api/me/second-factor/enrolment');
  const { secret } = (await enrolment.json()) as Enrolment;
  const code = codeOf(secret, await now());
  expect((await page.request.post('/api/me/second-factor', { data: { code } })).status()).toBe(201);
  return secret;
}

/** An operator at the console; returns the secret of their second factor. */
export async function openConsole(me: Visitor, place = ours()): Promise<string> {
  await becomeOperator(me, place);
  const secret = await turnOnSecondFactor(me.page, place);
  await me.page.goto(`/admin?lang=${me.language}`);
  await expect(me.page.getByRole('heading', { level: 1, name: me.say('admin.screen.today') })).toBeVisible();
  return secret;
}

/** Opens a screen by the console's own links. */
export async function openScreen({ page, say }: Visitor, screen: string): Promise<void> {
  const name = say(`admin.screen.${screen}`);
  await page.getByRole('navigation').getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

/** Finds a user by the beginning of an address, and opens their screen. */
export async function findUser(me: Visitor, email: string): Promise<void> {
  const { page, say } = me;
  await openScreen(me, 'users');
  const field = page.getByLabel(say('admin.users.find'));
  await field.fill(email.slice(0, 20));
  await field.press('Enter');
  await page.getByRole('link', { name: email }).click();
  await expect(page.getByRole('heading', { level: 1, name: email })).toBeVisible();
}

/** Eleven minutes go by for whoever sits there since the last proof, and since a code of their app was used. */
export function growOld({ email }: Visitor, place = ours()): Promise<unknown> {
  return onDatabase(
    (sql) => sql`
      with aged as (update sessions set confirmed_at = confirmed_at - interval '11 minutes'
                     where user_id = (select id from users where email = ${email}) returning user_id)
      update second_factors set totp_counter = totp_counter - 22 where user_id in (select user_id from aged)`,
    place,
  );
}
