import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { answerJson, type Emulator, readJson, startHttpServer } from '../http-server.ts';
import { escapeHtml, languageOf } from '../payments/page.ts';
import { answerMail, answerMailbox } from './mailbox-page.ts';

/** One mail as it came. */
export interface ReceivedMail {
  id: string;
  /** Epoch milliseconds. */
  receivedAt: number;
  messageId: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
}

const MAX_KEPT = 500;
const MAX_BYTES = 5 * 1024 * 1024;

/**
 * A mail server that delivers nothing: SMTP by a maintained library, and a page that shows what came. `also.smtp` is where mail is handed in;
 * `/__control/mails` lists it (`?to=` narrows), DELETE empties it, and `/__control/refuse` makes the next deliveries fail with an SMTP code.
 */
export async function startMailEmulator({
  port,
}: {
  port: number;
}): Promise<Emulator & { also: { smtp: string } }> {
  const mails: ReceivedMail[] = [];
  let refusals: number[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    size: MAX_BYTES,
    onAuth: (_auth, _session, done) => done(null, { user: 'anybody' }),
    onData(stream, session, done) {
      void buffer(stream).then(async (raw) => {
        const code = refusals.shift();
        if (code !== undefined) return done(Object.assign(new Error('refused'), { responseCode: code }));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.unshift(await readMail(raw, to));
        mails.splice(MAX_KEPT);
        done();
      }, done);
    },
  });
  smtp.on('error', () => {});
  const listening = smtp.listen(0, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    listening.once('listening', resolve);
    listening.once('error', reject);
  });
  const address = listening.address();
  const smtpPort = typeof address === 'object' && address ? address.port : 0;

  const actions: Record<string, (url: URL, body: Record<string, unknown>) => unknown> = {
    'GET /__control/mails': ({ searchParams }) => {
      const to = searchParams.get('to');
      return mails.filter((mail) => to === null || mail.to.includes(to));
    },
    'DELETE /__control/mails': () => {
      mails.length = 0;
      return {};
    },
    'POST /__control/refuse': (_url, { code, times }) => {
      refusals = Array<number>(Number(times ?? 1)).fill(Number(code ?? 451));
      return {};
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://mailbox');
    const action = actions[`${request.method} ${url.pathname}`];
    if (action) return answerJson(response, 200, action(url, await bodyOf(request)));
    const language = languageOf(request, url, null);
    const [, id, part] = /^\/mails\/([^/]+)(\/html)?$/.exec(url.pathname) ?? [];
    const mail = mails.find((each) => each.id === id);
    if (url.pathname === '/') return answerMailbox(response, language, mails);
    if (mail) return answerMail(response, language, mail, part !== undefined);
    answerJson(response, 404, { error: `nothing at ${escapeHtml(url.pathname)}` });
  }

  const page = await startHttpServer(port, handle);
  return {
    url: page.url,
    also: { smtp: `smtp://127.0.0.1:${smtpPort}` },
    async close() {
      await page.close();
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
    },
  };
}

function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  return request.method === 'POST' ? readJson(request) : Promise.resolve({});
}

async function readMail(raw: Buffer, to: string[]): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(raw);
  return {
    id: randomUUID(),
    receivedAt: Date.now(),
    messageId: mail.messageId ?? '',
    from: mail.from?.address ?? '',
    to,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
  };
}
