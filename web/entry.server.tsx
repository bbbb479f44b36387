import { PassThrough } from 'node:stream';
import { createReadableStreamFromReadable } from '@react-router/node';
import { renderToPipeableStream } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { type EntryContext, ServerRouter } from 'react-router';
import en from '#i18n/en/common.json';
import zh from '#i18n/zh/common.json';
import { createI18n } from '#web/lib/i18n.ts';
import { DEFAULT_LANGUAGE, languageOfPath } from '#web/lib/language.ts';

const DICTIONARIES = { zh, en };

/** Renders one page to HTML, at build time and in development. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const language = languageOfPath(new URL(request.url).pathname) ?? DEFAULT_LANGUAGE;
  const i18n = createI18n(language, DICTIONARIES[language]);
  headers.set('content-type', 'text/html; charset=utf-8');
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <I18nextProvider i18n={i18n}>
        <ServerRouter context={context} url={request.url} />
      </I18nextProvider>,
      {
        onAllReady() {
          const body = new PassThrough();
          pipe(body);
          resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
        },
        onError: reject,
      },
    );
  });
}
