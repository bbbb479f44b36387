import { type Brand, brandName } from '#contract/brand.ts';
import { LANGUAGE_TAG, type Language } from '#contract/choices.ts';

/** A link with the words on it. */
export interface MailLink {
  label: string;
  /** Absolute. */
  url: string;
}

/** What a mail says: paragraphs, facts, one thing to do, and a last word in small print. Plain texts, no HTML. */
export interface MailContent {
  subject: string;
  paragraphs: string[];
  /** Names and values, one a line. */
  facts?: readonly (readonly [name: string, value: string])[];
  action?: MailLink;
  /** A second thing one may do, shown as a plain link. */
  other?: MailLink;
  /** Small print under the action. */
  note?: string;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

const LATIN = "'Segoe UI',Roboto,'Helvetica Neue',Arial";
const CHINESE = "'PingFang SC','Hiragino Sans GB','Microsoft YaHei','Noto Sans CJK SC'";
const FONTS = {
  zh: `-apple-system,${CHINESE},${LATIN},sans-serif`,
  en: `-apple-system,${LATIN},${CHINESE},sans-serif`,
};

/** For the mail programs that follow the reader's colours; the others show the light ones that stand inline. */
const DARK = `@media (prefers-color-scheme:dark){.page{background:#171614!important;color:#ece8e0!important}.card{background:#201e1b!important;border-color:#37332d!important}.soft,.soft a{color:#a8a196!important}.link{color:#ef8a76!important}.button{background:#b93a28!important;color:#ffffff!important}}`;
const SOFT = 'color:#5f5a52';

/** The plain and the HTML part of a mail. No image, no script, nothing loaded from anywhere. */
export function renderMail(
  content: MailContent,
  language: Language,
  brand: Brand,
  publicUrl: string,
): RenderedMail {
  const name = brandName(brand, language);
  return {
    subject: content.subject,
    text: renderText(content, language, name, publicUrl),
    html: `<!doctype html><html lang="${LANGUAGE_TAG[language]}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(content.subject)}</title><style>${DARK}</style></head>
<body class="page" style="margin:0;background:#fbfaf7;color:#1b1a17;font:16px/1.6 ${FONTS[language]}"><div style="max-width:560px;margin:0 auto;padding:32px 20px">
<p style="margin:0 0 24px;font-size:18px;font-weight:600">${escapeHtml(name)}</p>
<div class="card" style="background:#ffffff;border:1px solid #e6e1d8;border-radius:10px;padding:24px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.4;font-weight:600">${escapeHtml(content.subject)}</h1>
${renderBody(content)}</div>
<p class="soft" style="margin:16px 0 0;font-size:13px"><a href="${escapeHtml(publicUrl)}" style="${SOFT}">${escapeHtml(publicUrl)}</a></p>
</div></body></html>
`,
  };
}

function renderText(
  { paragraphs, facts, action, other, note }: MailContent,
  language: Language,
  name: string,
  publicUrl: string,
): string {
  const colon = language === 'zh' ? '：' : ': ';
  const parts = [
    ...paragraphs,
    ...(facts ? [facts.map(([key, value]) => `${key}${colon}${value}`).join('\n')] : []),
    ...[action, other].flatMap((link) => (link ? [`${link.label}\n${link.url}`] : [])),
    ...(note ? [note] : []),
    `${name}\n${publicUrl}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderBody({ paragraphs, facts, action, other, note }: MailContent): string {
  return [
    ...paragraphs.map((each) => `<p style="margin:0 0 16px">${escapeHtml(each)}</p>`),
    facts ? renderFacts(facts) : '',
    action
      ? `<p style="margin:24px 0"><a class="button" href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#b93a28;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(action.label)}</a></p>
<p class="soft" style="margin:0 0 16px;font-size:13px;${SOFT};word-break:break-all">${escapeHtml(action.url)}</p>`
      : '',
    other
      ? `<p style="margin:0 0 16px"><a class="link" href="${escapeHtml(other.url)}" style="color:#b93a28">${escapeHtml(other.label)}</a></p>`
      : '',
    note ? `<p class="soft" style="margin:0;font-size:13px;${SOFT}">${escapeHtml(note)}</p>` : '',
  ].join('\n');
}

function renderFacts(facts: readonly (readonly [name: string, value: string])[]): string {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td class="soft" style="padding:4px 16px 4px 0;${SOFT};vertical-align:top;white-space:nowrap">${escapeHtml(name)}</td><td style="padding:4px 0;word-break:break-word">${escapeHtml(value)}</td></tr>`,
  );
  return `<table role="presentation" style="margin:0 0 16px;border-collapse:collapse;font-size:15px">${rows.join('')}</table>`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
