import { type Context, Hono } from 'hono';
import { LANGUAGES } from '#contract/choices.ts';
import { AppError } from '#server/errors.ts';
import { type StaticFiles, sendStaticFile } from './static-files.ts';

const HOME = '/zh';

export interface PageRules {
  /** The path of the built page that shows a path without a file of its own; null where the application shows none. */
  pageFor(path: string): string | null;
}

/** Everything that is no API: built files, pages, and the way back to the home page from paths that do not exist. */
export function pageRoutes(files: StaticFiles, rules: PageRules) {
  return new Hono().get('*', async (c) => {
    const { path } = c.req;
    const { pathname } = new URL(c.req.url);
    if (path === '/') return redirect(c, HOME);
    if (path.endsWith('/')) return redirect(c, pathname.replace(/\/+$/, '') || HOME, 308);
    const page = rules.pageFor(path);
    const file = files.find(path) ?? (page ? (files.find(page) ?? files.fallback) : null);
    if (file) return sendStaticFile(file, c.req.raw);
    if (/\.[^/]+$/.test(path)) throw new AppError('not_found');
    return redirect(c, nearestPage(pathname, files, rules));
  });
}

/** A known page under an unknown language is that page in Chinese; anything else is the home page. */
function nearestPage(pathname: string, files: StaticFiles, rules: PageRules): string {
  const [, language = '', ...rest] = pathname.split('/');
  const inChinese = [HOME, ...rest].join('/');
  const isKnown = files.find(inChinese) !== null || rules.pageFor(inChinese) !== null;
  return rest.length > 0 && !LANGUAGES.some((each) => each === language) && isKnown ? inChinese : HOME;
}

/** A path that begins with two slashes would name another host. */
function redirect(c: Context, pathname: string, status: 302 | 308 = 302) {
  return c.redirect(pathname.replace(/^\/+/, '/') + new URL(c.req.url).search, status);
}
