import type { Page } from '@playwright/test';
import type { ReceivedMail } from '#emulators/mail/mail-emulator.ts';
import { expect } from './visitor.ts';

/** A mail as its reader has it. */
export interface OpenedMail {
  text: string;
  /** The link in it that matches; fails where there is none. */
  link(pattern: RegExp): string;
}

const OURS = () => process.env.E2E_MAILBOX ?? '';

/** The mails to an address with a subject, the newest first. */
async function listMails(
  address: string,
  subject: string | RegExp,
  mailbox: string,
): Promise<ReceivedMail[]> {
  const response = await fetch(new URL(`/__control/mails?to=${encodeURIComponent(address)}`, mailbox));
  const mails = (await response.json()) as ReceivedMail[];
  return mails.filter((mail) =>
    typeof subject === 'string' ? mail.subject === subject : subject.test(mail.subject),
  );
}

/** Waits for the newest mail to an address with a subject, and reads it without a browser. */
export async function readMail(
  address: string,
  subject: string | RegExp,
  mailbox = OURS(),
): Promise<OpenedMail> {
  let text = '';
  await expect(async () => {
    const [mail] = await listMails(address, subject, mailbox);
    expect(mail, `a mail to ${address} about ${subject}`).toBeDefined();
    text = mail?.text ?? '';
  }).toPass({ intervals: [100] });
  return openedMail(text, text.match(/https?:\/\/\S+/g) ?? []);
}

/** The same on the mailbox page, in a tab of its own. */
export async function openMail(page: Page, address: string, subject: string | RegExp): Promise<OpenedMail> {
  await readMail(address, subject);
  const tab = await page.context().newPage();
  await tab.goto(OURS());
  await tab.getByRole('link', { name: address }).filter({ hasText: subject }).first().click();
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText(subject);
  const text = (await tab.locator('.card').textContent()) ?? '';
  const links = await tab
    .locator('.card a')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''));
  await tab.close();
  return openedMail(text, links);
}

function openedMail(text: string, links: readonly string[]): OpenedMail {
  return {
    text,
    link(pattern) {
      const found = links.find((href) => pattern.test(href));
      expect(found, `a link like ${pattern} in ${links.join(' ')}`).toBeDefined();
      return found ?? '';
    },
  };
}

/** How many mails to an address have a subject now. */
export async function countMails(
  address: string,
  subject: string | RegExp,
  mailbox = OURS(),
): Promise<number> {
  return (await listMails(address, subject, mailbox)).length;
}
