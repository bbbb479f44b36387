import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGeminiEmulator } from '#emulators/gemini/gemini-emulator.ts';
import { answerJson, readJson, startHttpServer } from '#emulators/http-server.ts';
import { startMailEmulator } from '#emulators/mail/mail-emulator.ts';
import { run } from '#server/main.ts';
import { SECRET, startPayments } from './billing/payment-emulator.ts';
import { FakeClock, moveTime } from './fake-clock.ts';

/**
 * The whole product with stand-ins, living by a clock that is moved from outside, in a folder of its own that goes with it.
 * Prints `{url, control, creem, bagelpay, mailbox, dataDir}` as one line; `POST {control}/clock {to | days}` moves the time of all of
 * them together and answers `{now}`. It ends when its standard input closes, or on SIGTERM.
 */
const clock = new FakeClock();
const dataDir = mkdtempSync(join(tmpdir(), 'parley-clock-'));
const webhook = { url: null, secret: SECRET };
const [gemini, mail, creem, bagelpay] = await Promise.all([
  startGeminiEmulator({ port: 0 }),
  startMailEmulator({ port: 0 }),
  startPayments('creem', { webhook }),
  startPayments('bagelpay', { webhook }),
]);
const server = await run(
  {
    LOG_LEVEL: 'error',
    COMPUTER_USE: 'off',
    ...process.env,
    ...creem.env,
    ...bagelpay.env,
    GEMINI_BASE_URL: gemini.url,
    GEMINI_API_KEY: 'emulator',
    SMTP_URL: mail.also.smtp,
    PORT: '0',
    DATA_DIR: dataDir,
  },
  { clock },
);
await creem.control.act('webhook', { url: `${server.url}/webhooks/creem` });
await bagelpay.control.act('webhook', { url: `${server.url}/webhooks/bagelpay` });

const control = await startHttpServer(0, async (request, response) => {
  const { to, days = 0 } = request.method === 'POST' ? await readJson(request) : {};
  const target = to === undefined ? clock.now().getTime() + Number(days) * 86_400_000 : Number(to);
  await moveTime(clock, [creem.control, bagelpay.control], target);
  answerJson(response, 200, { now: clock.now().getTime() });
});

let isStopping = false;
async function stop() {
  if (isStopping) return;
  isStopping = true;
  await server.stop();
  await Promise.all([control.close(), gemini.close(), mail.close(), creem.close(), bagelpay.close()]);
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(0);
}

process.once('SIGTERM', stop);
process.once('SIGINT', stop);
process.stdin.resume().once('end', stop).once('close', stop);
const urls = {
  url: server.config.publicUrl,
  control: control.url,
  creem: creem.url,
  bagelpay: bagelpay.url,
  mailbox: mail.url,
  dataDir,
};
process.stdout.write(`${JSON.stringify(urls)}\n`);
