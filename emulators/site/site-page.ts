import { escapeHtml, type Language } from '../payments/page.ts';

/** One request for a page. */
export interface View {
  language: Language;
  host: string;
  /** The path without its language. */
  path: string;
  query: URLSearchParams;
  /** The fields of a posted form; null for a GET. */
  form: URLSearchParams | null;
  visit: string;
  /** The address of a page of the same host, in the language and the visit of this one. */
  link(path: string): string;
  /** The address of a page of another host. */
  linkTo(host: string, path: string): string;
}

/** `body` is HTML. */
export interface SitePage {
  title: string;
  body: string;
}

/** Sends the window on, after a form. */
export interface SiteTurn {
  goTo: string;
}

/** A file to download. */
export interface SiteFile {
  file: string;
  type: string;
  content: string;
}

/** One host of the demonstration site. */
export interface Site {
  name: Record<Language, string>;
  /** The colour of its head. */
  tint: string;
  nav: Record<Language, readonly (readonly [label: string, path: string])[]>;
  /** Null: there is no such page. */
  answer(view: View): SitePage | SiteTurn | SiteFile | null;
}

const STYLE = `
*{box-sizing:border-box}html{font-size:17px}body{margin:0;color:#22211e;background:#fbfaf7;font:1rem/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
header{background:var(--tint);color:#fff}header div{max-width:66rem;margin:0 auto;padding:1rem 1.5rem;display:flex;gap:2.5rem;align-items:center}
header b{font-size:1.3rem;font-weight:600}header a{color:#fff;text-decoration:none;padding:.4rem .2rem}header a:hover{text-decoration:underline}
main{max-width:66rem;margin:0 auto;padding:1.5rem 1.5rem 4rem}h1{font-size:1.8rem;line-height:1.3;margin:.6rem 0 1rem;font-weight:600}h2{font-size:1.2rem;margin:2rem 0 .5rem}
table{border-collapse:collapse;width:100%;margin:1rem 0}th,td{text-align:left;padding:.75rem .9rem;border-bottom:1px solid #ded9ce}th{color:#635e55;font-weight:500;font-size:.9rem}.num{text-align:right;font-variant-numeric:tabular-nums}
form{max-width:34rem;display:grid;gap:1.1rem}label{display:grid;gap:.3rem}fieldset{border:0;padding:0;margin:0;display:flex;gap:1.75rem}legend{padding:0;margin-bottom:.3rem}.row{display:flex;align-items:center;gap:.6rem}
input:not([type=radio]):not([type=checkbox]){font:inherit;padding:.6rem .8rem;border:1px solid #a39c90;border-radius:6px;background:#fff;width:100%}input[type=radio],input[type=checkbox]{width:1.15rem;height:1.15rem}
button,.button{font:inherit;justify-self:start;padding:.65rem 1.5rem;border:0;border-radius:6px;background:var(--tint);color:#fff;cursor:pointer;text-decoration:none}
.card{background:#fff;border:1px solid #ded9ce;border-radius:8px;padding:1.1rem 1.4rem}.cards{display:grid;grid-template-columns:repeat(3,1fr);gap:1.2rem;margin:1.5rem 0}
.quiet{color:#635e55}dl{display:grid;grid-template-columns:8rem 1fr;gap:.4rem 1rem}dt{color:#635e55}dd{margin:0}footer{border-top:1px solid #ded9ce;color:#635e55;font-size:.9rem}footer p{max-width:66rem;margin:0 auto;padding:1rem 1.5rem}
`;

const NOTE = {
  zh: '这是演示网站，只在这台电脑上运行，不卖任何东西。',
  en: 'This demo site exists only on this computer. Nothing is sold here.',
};

/** The whole document of a page. `title` is text; its script tells the emulated model what the window shows. */
export function drawPage(site: Site, view: View, page: SitePage): string {
  const { language } = view;
  const nav = site.nav[language]
    .map(([label, path]) => `<a href="${escapeHtml(view.link(path))}">${escapeHtml(label)}</a>`)
    .join('');
  return `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(`${page.title} · ${site.name[language]}`)}</title><style>:root{--tint:${site.tint}}${STYLE}</style></head>
<body><header><div><b>${escapeHtml(site.name[language])}</b>${nav}</div></header><main>${page.body}</main>
<footer><p>${NOTE[language]}</p></footer><script src="/__seen.js"></script></body></html>`;
}

/** A table; a cell that begins with a digit, or a sign of money, is a number and stands on the right. */
export function drawTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (tag: string, at: number, value: string) => {
    const isNumber = rows.length > 0 && rows.every((row) => /^[¥€$\d]/.test(row[at] ?? ''));
    return `<${tag}${isNumber ? ' class="num"' : ''}>${escapeHtml(value)}</${tag}>`;
  };
  const line = (tag: string, values: readonly string[]) =>
    `<tr>${values.map((value, at) => cell(tag, at, value)).join('')}</tr>`;
  return `<table><thead>${line('th', head)}</thead><tbody>${rows.map((row) => line('td', row)).join('')}</tbody></table>`;
}

/** A field of a form with its label. */
export function drawField(name: string, label: string, type = 'text', value = ''): string {
  return `<label>${escapeHtml(label)}<input name="${name}" type="${type}" value="${escapeHtml(value)}" autocomplete="off" required></label>`;
}
