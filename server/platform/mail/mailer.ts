import type { RenderedMail } from './render-mail.ts';

export interface Mailer {
  /** Hands a mail to the mail server. `id` becomes its Message-ID, so that a second try is seen as the same mail. Rejects on failure. */
  send(mail: RenderedMail & { id: string; to: string }): Promise<void>;
  close(): void;
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** A mailer over SMTP (`smtp://` or `smtps://`), a few connections kept open while there is mail. */
export function createMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  const { hostname, port, protocol, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      host: hostname,
      port: Number(port || (secure ? 465 : 587)),
      secure,
      pool: true,
      maxConnections: 2,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(username
        ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }
        : {}),
      ...TIMEOUTS,
    });
  };
  let opened: ReturnType<typeof open> | null = null;
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? hostname;
  return {
    async send({ id, to, subject, text, html }) {
      opened ??= open().catch((error) => {
        opened = null;
        throw error;
      });
      await (await opened).sendMail({
        messageId: `<${id}@${domain}>`,
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: { 'auto-submitted': 'auto-generated' },
      });
    },
    close: () => void opened?.then((transport) => transport.close()).catch(() => {}),
  };
}
