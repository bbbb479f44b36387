import type { Context } from 'hono';
import { LANGUAGES, type Language } from '#contract/choices.ts';
import type { ErrorBody } from '#contract/errors.ts';
import enAdmin from '#i18n/en/admin.json' with { type: 'json' };
import en from '#i18n/en/common.json' with { type: 'json' };
import { errorKey } from '#i18n/error-key.ts';
import { type TextParams, textOf } from '#i18n/text-of.ts';
import zhAdmin from '#i18n/zh/admin.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import type { AppError } from '#server/errors.ts';

const DICTIONARIES = { zh: { ...zh, admin: zhAdmin }, en: { ...en, admin: enAdmin } };
const NUMBERS = { zh: new Intl.NumberFormat('zh-CN'), en: new Intl.NumberFormat('en') };

/** The text of a key of `i18n/`, with `{{name}}` replaced by the parameter of that name. */
export function translate(language: Language, key: string, params: TextParams = {}): string {
  return textOf(DICTIONARIES[language], key, params, NUMBERS[language]);
}

/** The body that a caller receives for a fault. */
export function errorBody(
  { code, params, quote }: Pick<AppError, 'code' | 'params'> & Partial<Pick<AppError, 'quote'>>,
  language: Language,
): ErrorBody {
  const message = translate(language, errorKey(code, params), params);
  return { error: { code, message, params, ...(quote ? { quote } : {}) } };
}

/** The language of the sender of a request, read by `readLanguage`. */
export function languageOf(c: Context): Language {
  return readLanguage({ cookie: c.req.header('cookie'), acceptLanguage: c.req.header('accept-language') });
}

/** The caller's language: the `lang` cookie, else the first of ours in `Accept-Language` by weight, else Chinese. */
export function readLanguage(headers: {
  cookie: string | undefined;
  acceptLanguage: string | undefined;
}): Language {
  const cookie = /(?:^|;\s*)lang=([^;]*)/.exec(headers.cookie ?? '')?.[1];
  return toLanguage(cookie) ?? readAcceptLanguage(headers.acceptLanguage ?? '') ?? 'zh';
}

function readAcceptLanguage(header: string): Language | null {
  const ranges = header
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', ...params] = range.trim().split(';');
      const weight = params.map((param) => /^\s*q=([\d.]+)\s*$/.exec(param)?.[1]).find(Boolean);
      return { language: toLanguage(tag), weight: Number(weight ?? 1) };
    });
  const ours = ranges.filter(({ language, weight }) => language !== null && weight > 0);
  return ours.sort((a, b) => b.weight - a.weight)[0]?.language ?? null;
}

function toLanguage(tag: string | undefined): Language | null {
  const primary = tag?.trim().toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((language) => language === primary) ?? null;
}
