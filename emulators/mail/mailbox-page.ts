import type { ServerResponse } from 'node:http';
import { answerPage, escapeHtml, type Language } from '../payments/page.ts';
import type { ReceivedMail } from './mail-emulator.ts';

const TEXTS = {
  zh: {
    title: '模拟邮箱',
    note: '产品发出的邮件都停在这里，不会寄给任何人。设置 SMTP_URL 后才会真正寄出。',
    empty: '还没有邮件。',
    back: '返回列表',
    to: '收件人',
    html: '查看排版',
  },
  en: {
    title: 'Emulated mailbox',
    note: 'Every email the product sends ends up here and reaches nobody. Set SMTP_URL to send email for real.',
    empty: 'No emails yet.',
    back: 'Back to the list',
    to: 'To',
    html: 'View as HTML',
  },
};

/** All mails, the newest first. */
export function answerMailbox(response: ServerResponse, language: Language, mails: readonly ReceivedMail[]) {
  const text = TEXTS[language];
  const rows = mails.map(
    ({ id, subject, to, receivedAt }) =>
      `<a class="button" href="/mails/${id}?lang=${language}">${escapeHtml(subject)}<br><small>${escapeHtml(
        to.join(', '),
      )} · ${new Date(receivedAt).toISOString().slice(11, 19)}</small></a>`,
  );
  const body = rows.length > 0 ? rows.join('') : `<p>${text.empty}</p>`;
  answerPage(
    response,
    200,
    language,
    text.title,
    `<h1>${text.title}</h1><p class="note">${text.note}</p>${body}`,
  );
}

/** One mail: its text with live links, or the HTML that a mail program would show. */
export function answerMail(
  response: ServerResponse,
  language: Language,
  mail: ReceivedMail,
  asHtml: boolean,
) {
  const text = TEXTS[language];
  if (asHtml) return answerHtml(response, mail.html);
  const linked = escapeHtml(mail.text).replace(
    /https?:\/\/[^\s<]+/g,
    (link) => `<a href="${link}">${link}</a>`,
  );
  answerPage(
    response,
    200,
    language,
    mail.subject,
    `<p><a href="/?lang=${language}">${text.back}</a></p><div class="card"><h1>${escapeHtml(mail.subject)}</h1>
<p><small>${text.to} ${escapeHtml(mail.to.join(', '))}</small></p><p style="white-space:pre-line">${linked}</p></div>
<a class="button" href="/mails/${mail.id}/html">${text.html}</a>`,
  );
}

function answerHtml(response: ServerResponse, html: string) {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups allow-top-navigation-by-user-activation",
    'cache-control': 'no-store',
  });
  response.end(html);
}
