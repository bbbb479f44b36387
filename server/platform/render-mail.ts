import type { Brand } from '#contract/brand.ts';
import type { Language } from './translate.ts';

/** What a mail says: paragraphs, one thing to do, and a last word in small print. Plain texts, no HTML. */
export interface MailContent {
  subject: string;
  paragraphs: string[];
  action?: { label: string; url: string };
  /** Small print under the action. */
  note?: string;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

const FONT =
  "-apple-system,BlinkMacSystemFont,'PingFang SC','Hiragino Sans GB','Microsoft YaHei','Noto Sans CJK SC','Segoe UI',sans-serif";

/** The plain and the HTML part of a mail. No image, no script, nothing loaded from anywhere. */
export function renderMail(
  { subject, paragraphs, action, note }: MailContent,
  language: Language,
  brand: Brand,
  publicUrl: string,
): RenderedMail {
  const name = language === 'zh' ? brand.nameZh : brand.name;
  const text = [
    ...paragraphs,
    ...(action ? [`${action.label}\n${action.url}`] : []),
    ...(note ? [note] : []),
    `${name}\n${publicUrl}`,
  ];
  const shown = paragraphs.map((each) => `<p style="margin:0 0 16px">${escapeHtml(each)}</p>`).join('');
  const button = action
    ? `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#b93a28;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(action.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#5f5a52;word-break:break-all">${escapeHtml(action.url)}</p>`
    : '';
  const small = note ? `<p style="margin:0;font-size:13px;color:#5f5a52">${escapeHtml(note)}</p>` : '';
  return {
    subject,
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:#fbfaf7;color:#1b1a17;font:16px/1.6 ${FONT}"><div style="max-width:560px;margin:0 auto;padding:32px 20px">
<p style="margin:0 0 24px;font-size:18px;font-weight:600">${escapeHtml(name)}</p>
<div style="background:#ffffff;border:1px solid #e6e1d8;border-radius:10px;padding:24px">${shown}${button}${small}</div>
<p style="margin:16px 0 0;font-size:13px"><a href="${escapeHtml(publicUrl)}" style="color:#5f5a52">${escapeHtml(publicUrl)}</a></p>
</div></body></html>
`,
  };
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
