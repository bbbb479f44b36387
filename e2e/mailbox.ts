import type { Page } from '@playwright/test';
import { expect } from './visitor.ts';

/** A mail as the mailbox page shows it. */
export interface OpenedMail {
  text: string;
  /** The link in it that matches; fails where there is none. */
  link(pattern: RegExp): string;
}

/** Waits for the newest mail to an address with a subject, and opens it on the mailbox page in a tab of its own. */
export async function openMail(
  page: Page,
  address: string,
  subject: string | RegExp,
  mailbox = process.env.E2E_MAILBOX ?? '',
): Promise<OpenedMail> {
  const tab = await page.context().newPage();
  const row = tab.getByRole('link', { name: address }).filter({ hasText: subject }).first();
  await expect(async () => {
    await tab.goto(mailbox);
    await expect(row).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await row.click();
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText(subject);
  const text = (await tab.locator('.card').textContent()) ?? '';
  const links = await tab
    .locator('.card a')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''));
  await tab.close();
  return {
    text,
    link(pattern) {
      const found = links.find((href) => pattern.test(href));
      expect(found, `a link like ${pattern} in ${links.join(' ')}`).toBeDefined();
      return found ?? '';
    },
  };
}

/** How many mails to an address have a subject, as the mailbox page lists them now. */
export async function countMails(
  page: Page,
  address: string,
  subject: string | RegExp,
  mailbox = process.env.E2E_MAILBOX ?? '',
): Promise<number> {
  const tab = await page.context().newPage();
  await tab.goto(mailbox);
  const count = await tab.getByRole('link', { name: address }).filter({ hasText: subject }).count();
  await tab.close();
  return count;
}
