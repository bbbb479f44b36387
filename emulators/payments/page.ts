import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

export type Language = 'zh' | 'en';

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in HTML, attributes included. */
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** The language of a page: `?lang=`, else the path the buyer goes back to, else the browser's. */
export function languageOf(request: IncomingMessage, url: URL, returnTo: string | null): Language {
  const asked = url.searchParams.get('lang');
  if (asked === 'zh' || asked === 'en') return asked;
  const found = /^\/(zh|en)(\/|$)/.exec(URL.parse(returnTo ?? '')?.pathname ?? '')?.[1];
  if (found === 'zh' || found === 'en') return found;
  return /^\s*zh/i.test(request.headers['accept-language'] ?? '') ? 'zh' : 'en';
}

const STYLE = `
:root{color-scheme:light dark;--ink:#1c1c1a;--paper:#f6f4ef;--card:#fff;--line:#d9d5cb;--quiet:#63605a;--act:#1c1c1a;--onact:#fff;--bad:#a3271b}
@media(prefers-color-scheme:dark){:root{--ink:#eceae4;--paper:#191917;--card:#232321;--line:#403e39;--quiet:#a5a198;--act:#eceae4;--onact:#191917;--bad:#ff9c8f}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:30rem;margin:0 auto;padding:1.5rem 1rem 3rem}
.note{border:1px dashed var(--line);border-radius:.5rem;padding:.75rem 1rem;color:var(--quiet);font-size:.9rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1.25rem;margin-top:1rem}
h1{font-size:1.25rem;margin:0}.price{font-size:1.75rem;font-weight:600;margin:.25rem 0 0}
label{display:block;margin-top:1rem;font-size:.9rem}
input,select{width:100%;min-height:2.75rem;margin-top:.25rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--paper);color:inherit;font:inherit}
button,.button{display:block;width:100%;min-height:2.75rem;margin-top:.75rem;padding:.6rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:none;color:inherit;font:inherit;text-align:center;text-decoration:none;cursor:pointer}
button.main{background:var(--act);color:var(--onact);border-color:var(--act);margin-top:1.25rem}
:focus-visible{outline:3px solid #2f6fde;outline-offset:2px}
.bad{color:var(--bad);font-weight:600}dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:1rem 0 0}dt{color:var(--quiet)}dd{margin:0}
`;

/** Answers with a whole page; it needs no script. `title` is text, `body` HTML. */
export function answerPage(
  response: ServerResponse,
  status: number,
  language: Language,
  title: string,
  body: string,
) {
  const html = `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`;
  const bytes = Buffer.from(html);
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(bytes.length),
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    // With none at all, its own forms would come from the origin `null`.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  response.end(bytes);
}

/** Sends the browser on with a GET. */
export function redirect(response: ServerResponse, location: string) {
  response.writeHead(303, { location, 'cache-control': 'no-store', 'content-length': '0' }).end();
}

/** The fields of a posted form. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await text(request));
}

/** An amount as people read it. */
export function formatMoney(minor: number, currency: string, language: Language): string {
  const locale = language === 'zh' ? 'zh-CN' : 'en-US';
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(minor / 100);
}

/** A day as people read it, in UTC. */
export function formatDay(ms: number, language: Language): string {
  const locale = language === 'zh' ? 'zh-CN' : 'en-GB';
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(ms);
}
