import { expect } from 'vitest';
import type { ReceivedMail } from '#emulators/mail/mail-emulator.ts';
import { startMailEmulator } from '#emulators/mail/mail-emulator.ts';
import { createTestApp, type TestApp, type TestAppOptions } from './app.ts';

/** The whole server with a mail server of its own. */
export interface MailingApp extends TestApp {
  mailbox: Awaited<ReturnType<typeof startMailbox>>;
}

/** A mail server for a test, and what came to it. */
export async function startMailbox() {
  const emulator = await startMailEmulator({ port: 0 });
  const control = `${emulator.url}/__control`;
  async function list(to: string, about = /(?:)/): Promise<ReceivedMail[]> {
    const response = await fetch(`${control}/mails?to=${encodeURIComponent(to)}`);
    const mails = (await response.json()) as ReceivedMail[];
    return mails.filter(({ subject, text }) => about.test(subject) || about.test(text));
  }
  return {
    settings: { SMTP_URL: emulator.also.smtp },
    list,
    /** Waits until an address has `count` mails, of those whose subject or text `about` matches; the newest first. */
    async waitFor(to: string, count: number, about?: RegExp): Promise<ReceivedMail[]> {
      await expect.poll(async () => (await list(to, about)).length).toBe(count);
      return list(to, about);
    },
    refuse: (code: number, times: number) =>
      fetch(`${control}/refuse`, { method: 'POST', body: JSON.stringify({ code, times }) }),
    close: () => emulator.close(),
  };
}

/** Starts both; `close` ends both. */
export async function createMailingApp(options: Pick<TestAppOptions, 'fileJobs'> = {}): Promise<MailingApp> {
  const mailbox = await startMailbox();
  const app = await createTestApp({ ...options, env: mailbox.settings });
  return {
    ...app,
    mailbox,
    async close() {
      await app.close();
      await mailbox.close();
    },
  };
}
