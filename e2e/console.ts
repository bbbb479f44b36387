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

const dataDir = () => join(e2eFolder(), 'data');

/** Somebody else, at a browser of their own; its context is to be closed. */
export async function another(browser: Browser, language: Language): Promise<Visitor> {
  const context = await browser.newContext({ locale: LOCALE[language] });
  return new Visitor(await context.newPage(), language);
}

/** Opens an account that may use the console once two-step verification is on. */
export async function becomeOperator(me: Visitor): Promise<void> {
  await me.openAccount();
  const mail = await readMail(me.email, me.say('mail.verifyEmail.subject'));
  const link = mail.link(/\/verify-email#token=/).replace('#', `?lang=${me.language}#`);
  await me.page.goto(link);
  await expect(me.page.getByText(me.say('verify.done', { email: me.email }))).toBeVisible();
  await runAdmin('make-operator', me.email, '--reason', 'on call');
}

/** The operator's command line on the database of the journeys. */
export async function runAdmin(...command: string[]): Promise<void> {
  const env = { ...process.env, DATA_DIR: dataDir() };
  await promisify(execFile)(process.execPath, ['scripts/admin.ts', ...command], { env });
}

/** Runs statements on the database of the journeys. */
export function onDatabase<T>(use: (sql: Sql) => Promise<T>): Promise<T> {
  return onRunningDatabase(dataDir(), use);
}

/** Turns two-step verification on without its pages; gives back its secret. */
async function turnOnSecondFactor(page: Page): Promise<string> {
  const enrolment = await page.request.post('/api/me/second-factor/enrolment');
  const { secret } = (await enrolment.json()) as Enrolment;
  const code = codeOf(secret, Date.now());
  expect((await page.request.post('/api/me/second-factor', { data: { code } })).status()).toBe(201);
  return secret;
}

/** An operator at the console; gives back the secret of their second factor. */
export async function openConsole(me: Visitor): Promise<string> {
  await becomeOperator(me);
  const secret = await turnOnSecondFactor(me.page);
  await me.page.goto(`/admin?lang=${me.language}`);
  await expect(me.page.getByRole('heading', { level: 1, name: me.say('admin.screen.today') })).toBeVisible();
  return secret;
}
