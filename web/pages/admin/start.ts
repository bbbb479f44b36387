import type { Operator } from '#contract/admin/screens.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { chooseLanguage, rememberLanguage } from '#web/lib/detect-language.ts';
import { loadDictionary } from '#web/lib/dictionary.ts';
import { languageTag } from '#web/lib/language.ts';
import './console.css';

/** Where every path leads that the product does not have. */
const NO_SUCH_PAGE = '/zh';

/** As on every page whose path names no language; the cookie is always written with the local storage. */
const language = chooseLanguage({
  pathname: '/profile',
  search: window.location.search,
  cookie: document.cookie,
  stored: null,
  navigator: navigator.languages,
});

/** Asks who this is before anything of the console is loaded. */
async function start(): Promise<void> {
  rememberLanguage(language);
  document.documentElement.lang = languageTag(language);
  try {
    const operator = await callApi<Operator>('/api/admin');
    const [{ openConsole }, common, { default: admin }] = await Promise.all([
      import('./console.tsx'),
      loadDictionary(language),
      language === 'zh' ? import('#i18n/zh/admin.json') : import('#i18n/en/admin.json'),
    ]);
    openConsole({ operator, language, dictionary: { ...common, admin } });
  } catch (error) {
    if (isStranger(error)) window.location.replace(NO_SUCH_PAGE);
    else await sayUnreachable();
  } finally {
    delete document.documentElement.dataset.language;
  }
}

function isStranger(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'not_found' || error.code === 'unauthenticated');
}

/** Nothing of the console is here to say it with. */
async function sayUnreachable(): Promise<void> {
  const { account, crash } = await loadDictionary(language);
  const page = document.createElement('main');
  page.className = 'page flex min-h-dvh flex-col items-start justify-center gap-4';
  const text = document.createElement('p');
  text.setAttribute('role', 'alert');
  text.textContent = account.unreachable;
  const again = document.createElement('button');
  again.className = 'min-h-11 rounded-control border border-edge bg-raised px-4';
  again.textContent = crash.reload;
  again.addEventListener('click', () => window.location.reload());
  page.append(text, again);
  document.body.append(page);
}

await start();
