import { expect } from 'vitest';
import type { ReceivedMail } from '#emulators/mail/mail-emulator.ts';
import { startMailEmulator } from '#emulators/mail/mail-emulator.ts';

/** A mail server for a test, and what came to it. */
export async function startMailbox() {
  const emulator = await startMailEmulator({ port: 0 });
  const control = `${emulator.url}/__control`;
  async function list(to: string): Promise<ReceivedMail[]> {
    const response = await fetch(`${control}/mails?to=${encodeURIComponent(to)}`);
    return (await response.json()) as ReceivedMail[];
  }
  return {
    settings: { SMTP_URL: emulator.also.smtp },
    list,
    /** Waits until an address has `count` mails; the newest first. */
    async waitFor(to: string, count: number): Promise<ReceivedMail[]> {
      await expect.poll(async () => (await list(to)).length, { timeout: 8_000 }).toBe(count);
      return list(to);
    },
    refuse: (code: number, times: number) =>
      fetch(`${control}/refuse`, { method: 'POST', body: JSON.stringify({ code, times }) }),
    close: () => emulator.close(),
  };
}
