import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { answerJson, type Emulator, readJson, startHttpServer } from '../http-server.ts';
import type { Language } from '../payments/page.ts';
import { MAILBOX } from './mail-site.ts';
import { PARTNER } from './partner-site.ts';
import { RAIL } from './rail-site.ts';
import { SEEN_SCRIPT } from './seen-script.ts';
import { SHOP } from './shop-site.ts';
import type { Sight, Sights } from './sights.ts';
import { drawPage, type Site, type View } from './site-page.ts';
import { TRAPS } from './traps/trap-site.ts';

const SITES: Record<string, Site> = {
  'shop.test': SHOP,
  // The pictures of the product show it under a name that a shop could have.
  'hillside-tea.test': SHOP,
  'rail.test': RAIL,
  'mail.test': MAILBOX,
  'partner.test': PARTNER,
  'traps.test': TRAPS,
};

/** The names under which the demonstration site is reached; nothing else resolves them. */
export const SITE_HOSTS = Object.keys(SITES);

const KEPT_REQUESTS = 2_000;
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'strict-origin-when-cross-origin',
};

/** A request as `/__control/requests` lists it. */
export interface SiteRequest {
  host: string;
  method: string;
  path: string;
  body: string;
}

/**
 * Starts the demonstration site on the loopback interface: several small sites, distinguished by the host that is asked for. What its
 * pages show is given to `sights`. Port 0 takes a free one.
 */
export async function startSiteEmulator(options: { port: number; sights: Sights }): Promise<Emulator> {
  const requests: SiteRequest[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    const url = new URL(request.url ?? '/', `http://${host}`);
    const site = SITES[host];
    if (!site) return answerControl(request, response, url, requests);
    if (url.pathname === '/__seen') {
      options.sights.report((await readJson(request)) as unknown as Sight);
      return answerJson(response, 200, {});
    }
    if (url.pathname === '/__seen.js') {
      response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' });
      return void response.end(SEEN_SCRIPT);
    }
    const body = request.method === 'POST' ? await text(request) : '';
    requests.push({ host, method: request.method ?? '', path: url.pathname + url.search, body });
    requests.splice(0, requests.length - KEPT_REQUESTS);
    if (url.pathname === '/favicon.ico') return void response.writeHead(404).end();
    answerSite(response, site, readView(request, url, host, body));
  }

  return startHttpServer(options.port, handle, SITE_HOSTS);
}

function answerControl(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  requests: SiteRequest[],
) {
  if (url.pathname !== '/__control/requests') return answerJson(response, 404, { error: 'no such page' });
  if (request.method === 'DELETE') requests.length = 0;
  answerJson(response, 200, requests);
}

function answerSite(response: ServerResponse, site: Site, view: View) {
  if (view.visit === '') {
    const visit = randomBytes(6).toString('hex');
    const query = new URLSearchParams([...view.query, ['visit', visit]]);
    const location = `/${view.language}${view.path === '/' ? '' : view.path}?${query}`;
    return void response.writeHead(302, { location, 'cache-control': 'no-store' }).end();
  }
  const page = site.answer(view);
  if (page && 'goTo' in page)
    return void response.writeHead(303, { location: page.goTo, 'cache-control': 'no-store' }).end();
  if (page && 'file' in page) {
    const disposition = `attachment; filename="${page.file}"`;
    const length = Buffer.byteLength(page.content);
    const headers = {
      'content-type': page.type,
      'content-disposition': disposition,
      'content-length': length,
    };
    return void response.writeHead(200, headers).end(page.content);
  }
  const missing = {
    title: '404',
    body: view.language === 'zh' ? '<h1>没有这个页面</h1>' : '<h1>Page not found</h1>',
  };
  response.writeHead(page ? 200 : 404, HEADERS).end(drawPage(site, view, page ?? missing));
}

function readView(request: IncomingMessage, url: URL, host: string, body: string): View {
  const [, asked, rest = ''] = /^\/(zh|en)(\/.*)?$/.exec(url.pathname) ?? [];
  const prefersChinese = /^\s*zh/i.test(request.headers['accept-language'] ?? '');
  const language: Language = asked === 'zh' || asked === 'en' ? asked : prefersChinese ? 'zh' : 'en';
  const visit = (url.searchParams.get('visit') ?? '').replace(/[^\w-]/g, '');
  const linkTo = (to: string, path: string) => {
    const port = URL.parse(`http://${request.headers.host}`)?.port ?? '';
    const origin = to === host ? '' : `http://${to}${port === '' ? '' : `:${port}`}`;
    return `${origin}/${language}${path === '/' ? '' : path}?visit=${visit}`;
  };
  return {
    language,
    host,
    path: (asked ? rest : url.pathname) || '/',
    query: url.searchParams,
    form: request.method === 'POST' ? new URLSearchParams(body) : null,
    visit,
    link: (path) => linkTo(host, path),
    linkTo,
  };
}
