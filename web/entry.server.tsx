import { prerender } from 'react-dom/static';
import { type EntryContext, ServerRouter } from 'react-router';
import en from '#i18n/en/common.json';
import zh from '#i18n/zh/common.json';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { DEFAULT_LANGUAGE, languageOfPath } from '#web/lib/language.ts';

const DICTIONARIES = { zh, en };

/** Renders one page to HTML, at build time and in development. Throws when a component does, so that the build fails. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const language = languageOfPath(new URL(request.url).pathname) ?? DEFAULT_LANGUAGE;
  const { prelude } = await prerender(
    <TranslationProvider language={language} dictionary={DICTIONARIES[language]}>
      <ServerRouter context={context} url={request.url} />
    </TranslationProvider>,
    {
      onError(error) {
        throw error;
      },
    },
  );
  headers.set('content-type', 'text/html; charset=utf-8');
  return new Response(prelude, { status, headers });
}
