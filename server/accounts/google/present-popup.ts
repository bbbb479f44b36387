import type { Context } from 'hono';
import { LANGUAGE_TAG } from '#contract/choices.ts';
import { setHeader } from '#server/platform/http/set-header.ts';
import { languageOf, translate } from '#server/platform/translate.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page on which a popup ends: its script informs the opener what stands after the # and closes it. */
export function presentPopup(c: Context): Response {
  const language = languageOf(c);
  const html = `<!doctype html><html lang="${LANGUAGE_TAG[language]}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>Google</title><script src="/google-done.js"></script><p>${translate(language, 'google.close')}</p></html>`;
  return c.body(html, 200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY });
}

/** So that the page that opened a popup can notice when the user closes it. */
export function keepOpener(c: Context): void {
  setHeader(c, 'cross-origin-opener-policy', 'unsafe-none');
}
