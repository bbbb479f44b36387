import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMailEmulator } from '#emulators/mail/mail-emulator.ts';
import { createMailer } from './mailer.ts';

let emulator: Awaited<ReturnType<typeof startMailEmulator>>;
beforeAll(async () => {
  emulator = await startMailEmulator({ port: 0 });
});
afterAll(() => emulator.close());

const from = '对谈 Parley <hello@parley.test>';
const mail = {
  id: '0190-1',
  to: 'reader@example.test',
  subject: '你好，读者 “Hi”',
  text: '第一行\nhttps://parley.test/x?a=1&b=2\n',
  html: '<p>第一行</p>',
};

it('what is sent by SMTP is listed, in its own characters, and shown on a page without being run', async () => {
  const mailer = createMailer({ smtpUrl: emulator.also.smtp, from });
  await mailer.send(mail);
  mailer.close();
  const response = await fetch(`${emulator.url}/__control/mails?to=${mail.to}`);
  const [received] = (await response.json()) as { id: string }[];
  expect(received).toMatchObject({
    to: [mail.to],
    from: 'hello@parley.test',
    subject: mail.subject,
    messageId: '<0190-1@parley.test>',
  });
  expect(await (await fetch(`${emulator.url}/?lang=zh`)).text()).toContain('你好，读者 “Hi”');
  const page = await (await fetch(`${emulator.url}/mails/${received?.id}?lang=en`)).text();
  expect(page).toContain('href="https://parley.test/x?a=1&amp;b=2"');
  const html = await fetch(`${emulator.url}/mails/${received?.id}/html`);
  expect(html.headers.get('content-security-policy')).toContain('sandbox');
  expect(await html.text()).toContain('<p>第一行</p>');
});

it('a refusal that was asked for rejects the sending', async () => {
  await fetch(`${emulator.url}/__control/refuse`, { method: 'POST', body: '{"code":451}' });
  const mailer = createMailer({ smtpUrl: emulator.also.smtp, from });
  await expect(mailer.send(mail)).rejects.toThrow('refused');
  await mailer.send({ ...mail, id: '0190-2' });
  mailer.close();
});
